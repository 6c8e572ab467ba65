//! Why the command could not do what it was asked.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::path::PathBuf;

use agent_core::agent::NotPending;
use agent_core::chat::ChatFormatError;
use agent_core::profile::InvalidProfile;
use agent_core::run::{InvalidSave, LimitsError};
use agent_core::{BuildError, ModelError, RolesError, RunError, ToolboxError};

use super::output;
use super::status::Status;

/// Why the command could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// What was typed cannot be done; the message says what to type instead.
    #[error("{0}")]
    Usage(String),
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot use the profile {}", path.display())]
    Profile { path: PathBuf, source: InvalidProfile },
    #[error("cannot continue {}", path.display())]
    Continue { path: PathBuf, source: ChatFormatError },
    #[error("cannot use the limits in {}", path.display())]
    Limits { path: PathBuf, source: LimitsError },
    #[error("cannot use the roles in {}", path.display())]
    Roles { path: PathBuf, source: RolesError },
    #[error("cannot go on from {}, which should be a file that --pending wrote", path.display())]
    Pending { path: PathBuf, source: serde_json::Error },
    #[error("cannot go on from {}", path.display())]
    Restore { path: PathBuf, source: InvalidSave },
    /// Whoever removed the file goes on with the run.
    #[error(
        "{} is gone: another process has taken up the run; it calls nothing here", .0.display()
    )]
    Taken(PathBuf),
    #[error(transparent)]
    NotPending(#[from] NotPending),
    #[error("cannot read the script {}", path.display())]
    ReadScript { path: PathBuf, source: io::Error },
    #[error("cannot use the script {}", path.display())]
    Script { path: PathBuf, source: ChatFormatError },
    #[error("cannot write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot read what is typed")]
    Input(#[source] io::Error),
    #[error("cannot write to standard output")]
    Print(#[source] io::Error),
    #[error(transparent)]
    Agent(#[from] BuildError),
    #[error(transparent)]
    Toolbox(#[from] ToolboxError),
    /// A run failed; the advice says what may help, beside what the error says.
    #[error("{}{}", with_causes(error), advice.as_deref().map(|text| format!("; {text}")).unwrap_or_default())]
    Run { error: RunError, advice: Option<String> },
}

impl Failure {
    pub(crate) fn of_run(
        error: RunError,
        advice: impl FnOnce(&ModelError) -> Option<String>,
    ) -> Self {
        let advice = match &error {
            RunError::Model(error) => advice(error),
            _ => None,
        };
        Self::Run { error, advice }
    }

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
