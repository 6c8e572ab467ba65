//! The exit status.

use std::process::ExitCode;

use agent_core::StopReason;

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It did what it was asked.
    Done = 0,
    /// Something failed.
    Error = 1,
    /// It was asked wrongly.
    Usage = 2,
    /// The run stopped without an answer.
    NoAnswer = 3,
    /// The user stopped it; the number is what shells give for that.
    Interrupted = 130,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// What a run comes to that did not fail.
impl From<StopReason> for Status {
    fn from(stop: StopReason) -> Self {
        match stop {
            StopReason::Answered => Self::Done,
            // Nothing but Ctrl-C cancels a run of this command.
            StopReason::Cancelled => Self::Interrupted,
            StopReason::Error => Self::Error,
            _ => Self::NoAnswer,
        }
    }
}
