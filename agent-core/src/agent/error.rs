//! How a run fails.

use std::fmt;
use std::sync::Arc;

use super::Run;
use crate::budget::BudgetError;
use crate::model::ModelError;
use crate::run::StopReason;
use crate::tool::{ToolError, with_causes};

/// Why a run ended with an error.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// The model did not answer.
    Model(ModelError),
    /// The tokens of the day cannot be [counted](crate::DailyBudget), so no request may be made.
    Budget(BudgetError),
    /// A tool failed [fatally](ToolError::fatal).
    Tool {
        /// The name of the tool.
        tool: String,
        /// Its error.
        error: Arc<ToolError>,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => write!(f, "the model did not answer: {error}"),
            Self::Budget(error) => write!(f, "the daily budget cannot be kept: {error}"),
            Self::Tool { tool, error } => write!(f, "the tool `{tool}` ended the run: {error}"),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // Its message is part of this one; what is behind it is not.
            Self::Model(error) => error.source(),
            Self::Budget(_) | Self::Tool { .. } => None,
        }
    }
}

/// A run that ended with an error, and what it had come to by then. `Debug` shows the message with
/// its causes, for a `main` that returns it.
pub struct FailedRun {
    run: Box<Run>,
    error: RunError,
}

impl FailedRun {
    pub(super) fn new(run: Run, error: RunError) -> Self {
        Self { run: Box::new(run), error }
    }

    /// The error.
    #[must_use]
    pub fn error(&self) -> &RunError {
        &self.error
    }

    /// The run, which can be [asked](Run::ask) further questions.
    #[must_use]
    pub fn into_run(self) -> Run {
        *self.run
    }
}

impl fmt::Display for FailedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl fmt::Debug for FailedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with_causes(&self.error))
    }
}

impl std::error::Error for FailedRun {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}

/// A run has no answer. `Debug` shows the message too, for a `main` that returns it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct NoAnswer {
    pub(super) stop: Option<StopReason>,
}

impl NoAnswer {
    /// Why the run stopped, if it has.
    #[must_use]
    pub fn stop(self) -> Option<StopReason> {
        self.stop
    }
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stop {
            Some(stop) => write!(f, "the run stopped without an answer: {stop}"),
            None => f.write_str("the run has not ended yet; drive it to its end"),
        }
    }
}

impl fmt::Debug for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for NoAnswer {}
