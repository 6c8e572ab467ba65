//! Why the command could not do what it was asked.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::path::PathBuf;

use agent_core::chat::ChatFormatError;
use agent_core::{BuildError, RunError, ToolboxError};

use super::output;
use super::status::Status;

/// Why the command could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// What was typed cannot be done; the message says what to type instead.
    #[error("{0}")]
    Usage(String),
    #[error("cannot read the script {}", path.display())]
    ReadScript { path: PathBuf, source: io::Error },
    #[error("cannot use the script {}", path.display())]
    Script { path: PathBuf, source: ChatFormatError },
    #[error("cannot write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write to standard output")]
    Print(#[source] io::Error),
    #[error(transparent)]
    Agent(#[from] BuildError),
    #[error(transparent)]
    Toolbox(#[from] ToolboxError),
    #[error(transparent)]
    Run(#[from] RunError),
}

impl Failure {
    /// Tells the user, and gives the exit status it ends in.
    pub(crate) fn tell(self) -> Status {
        output::say(format_args!("error: {}", with_causes(&self)));
        match self {
            Self::Usage(_) => Status::Usage,
            _ => Status::Error,
        }
    }
}

/// An error's message, then those of its causes that have not been said already.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    successors(error.source(), |cause| (*cause).source()).map(ToString::to_string).fold(
        error.to_string(),
        |said, cause| {
            if said.ends_with(&cause) { said } else { format!("{said}: {cause}") }
        },
    )
}
