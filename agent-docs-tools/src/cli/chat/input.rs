//! What is typed, line by line.

use std::io::{self, BufRead};

use super::editor::Editor;
use crate::cli::failure::Failure;
use crate::cli::interrupt::Interrupt;
use crate::cli::terminal;

/// Where lines come from.
pub(super) enum Input {
    /// A terminal, where a line is edited before it counts.
    Editor(Editor),
    /// Anything else, whose lines are taken as they are.
    Plain,
}

/// What came of waiting for a line.
#[derive(Debug)]
pub(super) enum Typed {
    Line(String),
    Interrupt,
    End,
}

impl Input {
    /// The input of this process. With `history`, lines of earlier conversations can be called back.
    pub(super) fn open(history: bool) -> Result<Self, Failure> {
        if terminal::is_there() {
            return Editor::open(history).map(Self::Editor);
        }
        Ok(Self::Plain)
    }

    /// Whether lines are edited on a terminal.
    pub(super) fn edits(&self) -> bool {
        matches!(self, Self::Editor(_))
    }

    /// Waits for the next line.
    pub(super) async fn next(&mut self) -> Result<Typed, Failure> {
        match self {
            Self::Editor(editor) => editor.next().await,
            Self::Plain => plain().await,
        }
    }
}

/// Reading holds up no signal: the thread that reads is left behind.
async fn plain() -> Result<Typed, Failure> {
    let read = tokio::task::spawn_blocking(|| {
        let mut line = Vec::new();
        io::stdin().lock().read_until(b'\n', &mut line).map(|_| line)
    });
    let interrupt = Interrupt::default();
    let line = tokio::select! {
        read = read => read.map_err(io::Error::other).flatten().map_err(Failure::Input)?,
        () = interrupt.wait() => return Ok(Typed::Interrupt),
    };
    if line.is_empty() {
        return Ok(Typed::End);
    }
    Ok(Typed::Line(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()))
}
