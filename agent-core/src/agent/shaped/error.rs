//! Why there is no answer of a type.

use std::fmt;

use crate::agent::{FailedRun, Run};
use crate::call::cut;
use crate::message::Message;
use crate::run::InvalidSave;
use crate::schema::Unsayable;
use crate::tool::with_causes;

/// Why [`run_as`](crate::Agent::run_as) gave no answer. `Debug` shows the message with its causes,
/// for a `main` that returns it.
#[non_exhaustive]
pub enum RunAsError {
    /// The type cannot be described to the model.
    Unsayable(Unsayable),
    /// The model failed, or a tool failed fatally.
    Failed(FailedRun),
    /// What was saved is not the state of a run.
    Saved(InvalidSave),
    /// The run stopped without an answer that fits the type; its [stop](Run::stop) says why.
    NoAnswer(Box<Run>),
}

impl RunAsError {
    /// The run, if there was one. It can be driven on where it awaits approval, and asked further
    /// questions, which are answered in the same shape.
    #[must_use]
    pub fn into_run(self) -> Option<Run> {
        match self {
            Self::Unsayable(_) | Self::Saved(_) => None,
            Self::Failed(failed) => Some(failed.into_run()),
            Self::NoAnswer(run) => Some(*run),
        }
    }
}

impl From<Unsayable> for RunAsError {
    fn from(error: Unsayable) -> Self {
        Self::Unsayable(error)
    }
}

impl From<InvalidSave> for RunAsError {
    fn from(error: InvalidSave) -> Self {
        Self::Saved(error)
    }
}

impl From<FailedRun> for RunAsError {
    fn from(error: FailedRun) -> Self {
        Self::Failed(error)
    }
}

impl fmt::Display for RunAsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsayable(error) => write!(f, "the answer's type cannot be asked for: {error}"),
            Self::Failed(error) => error.fmt(f),
            Self::Saved(error) => error.fmt(f),
            Self::NoAnswer(run) => {
                let stop = run.stop().map_or("it has not ended", |stop| stop.as_str());
                write!(f, "the run stopped without an answer of the type asked for: {stop}")?;
                match last_text(run) {
                    Some(text) => {
                        write!(f, "; the model's last words were: {}", cut(text, LONGEST))
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

/// How many characters of the last reply are shown.
const LONGEST: usize = 200;

fn last_text(run: &Run) -> Option<&str> {
    run.transcript().messages().iter().rev().find_map(|message| match message {
        Message::Assistant(reply) => Some(reply.content.trim()).filter(|text| !text.is_empty()),
        _ => None,
    })
}

impl fmt::Debug for RunAsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with_causes(self))
    }
}

impl std::error::Error for RunAsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // Its message is this one; what is behind it is not.
            Self::Failed(error) => error.source(),
            Self::Unsayable(_) | Self::Saved(_) | Self::NoAnswer(_) => None,
        }
    }
}
