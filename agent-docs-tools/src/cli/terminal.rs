//! The terminal, where there is one.

use std::io::{self, IsTerminal};

use rustyline::config::Behavior;
use rustyline::{Config, DefaultEditor};

use super::failure::Failure;

/// Whether there is a person to ask: one who types, and sees what is asked.
pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Reads lines that are edited on the terminal, also where standard output goes elsewhere.
pub(crate) fn editor() -> Result<DefaultEditor, Failure> {
    let config = Config::builder().behavior(Behavior::PreferTerm).build();
    DefaultEditor::with_config(config).map_err(|error| Failure::Input(io::Error::other(error)))
}
