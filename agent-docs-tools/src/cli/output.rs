//! Standard output, for what was asked for, and standard error, for all else.

use std::fmt::Display;
use std::io::{self, Write};

use super::failure::Failure;

/// Prints what was asked for on standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
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

/// Tells the user something on standard error.
pub(crate) fn say(text: impl Display) {
    // In one piece, so that lines of other programs do not get in between. Where standard error is
    // closed there is no one to tell.
    io::stderr().write_all(format!("{text}\n").as_bytes()).ok();
}
