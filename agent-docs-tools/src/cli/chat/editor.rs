//! Lines that are edited on a terminal, and called back from earlier conversations.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustyline::error::ReadlineError;
use rustyline::{
    Cmd, ConditionalEventHandler, DefaultEditor, Event, EventContext, EventHandler, KeyEvent,
    Movement, RepeatCount,
};

use super::history;
use super::input::Typed;
use crate::cli::failure::Failure;
use crate::cli::{output, terminal};

const PROMPT: &str = "docs> ";

/// Reads what a person types.
pub(super) struct Editor {
    /// Shared with the thread that waits for the person.
    lines: Arc<Mutex<DefaultEditor>>,
    /// Where lines are kept for other conversations.
    history: Option<PathBuf>,
}

impl Editor {
    /// With what was typed in earlier conversations, if `history`.
    pub(super) fn open(history: bool) -> Result<Self, Failure> {
        let mut lines = terminal::editor()?;
        lines.bind_sequence(KeyEvent::ctrl('C'), EventHandler::Conditional(Box::new(ClearsLine)));
        let mut history = if history { history::file() } else { None };
        if let Some(path) = &history
            && let Err(error) = load(&mut lines, path)
        {
            told(path, &error);
            history = None;
        }
        Ok(Self { lines: Arc::new(Mutex::new(lines)), history })
    }

    /// Waits for a line. Two interrupts one after the other leave.
    pub(super) async fn next(&mut self) -> Result<Typed, Failure> {
        match self.read().await? {
            Typed::Interrupt => {}
            typed => return Ok(typed),
        }
        output::say("Ctrl-C once more leaves, and so does Ctrl-D");
        Ok(match self.read().await? {
            Typed::Interrupt => Typed::End,
            typed => typed,
        })
    }

    async fn read(&mut self) -> Result<Typed, Failure> {
        let lines = Arc::clone(&self.lines);
        // On a thread of its own, so that connections are looked after meanwhile.
        let read = move || lines.lock().unwrap_or_else(PoisonError::into_inner).readline(PROMPT);
        match tokio::task::spawn_blocking(read).await {
            Ok(Ok(line)) => {
                self.remember(&line);
                Ok(Typed::Line(line))
            }
            Ok(Err(ReadlineError::Interrupted)) => Ok(Typed::Interrupt),
            Ok(Err(ReadlineError::Eof)) => Ok(Typed::End),
            Ok(Err(error)) => Err(Failure::Input(io::Error::other(error))),
            Err(error) => Err(Failure::Input(io::Error::other(error))),
        }
    }

    /// Keeps a line at once, whatever becomes of the conversation.
    fn remember(&mut self, line: &str) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let added = lines.add_history_entry(line);
        let Some(path) = &self.history else { return };
        if let Err(error) = added.and_then(|_| append(&mut lines, path)) {
            told(path, &error);
            self.history = None;
        }
    }
}

fn load(lines: &mut DefaultEditor, path: &Path) -> rustyline::Result<()> {
    match lines.load_history(path) {
        Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        loaded => loaded,
    }
}

fn append(lines: &mut DefaultEditor, path: &Path) -> rustyline::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    lines.append_history(path)
}

/// A conversation goes on without its history.
fn told(path: &Path, error: &ReadlineError) {
    output::say(format_args!("what is typed is not kept: cannot use {}: {error}", path.display()));
}

/// Ctrl-C clears the line; on an empty line it is an interrupt.
struct ClearsLine;

impl ConditionalEventHandler for ClearsLine {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        if context.line().is_empty() {
            return Some(Cmd::Interrupt);
        }
        Some(Cmd::Kill(Movement::WholeBuffer))
    }
}
