//! Standard output, for what was asked for, and standard error, for all else.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use super::failure::Failure;

/// Prints what was asked for on standard output: as it is, but on a terminal nothing that drives it.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let text = if stdout.is_terminal() { harmless(text).into() } else { Cow::Borrowed(text) };
    let printed = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    match printed {
        // The reader, such as `head`, has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed.map_err(Failure::Print),
    }
}

/// Prints JSON on standard output.
pub(crate) fn print_json(json: serde_json::Result<String>) -> Result<(), Failure> {
    print(&json.map_err(|error| Failure::Print(error.into()))?)
}

/// Tells the user something on standard error, without what could drive a terminal.
pub(crate) fn say(text: impl Display) {
    // In one piece, so that lines of other programs do not get in between. Where standard error is
    // closed there is no one to tell.
    io::stderr().write_all(harmless(&format!("{text}\n")).as_bytes()).ok();
}

/// The text without what could drive the terminal.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}
