//! Why a run stopped.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model answered.
    Answered,
    /// The model's last reply held neither text nor tool calls.
    Empty,
    /// The model refused to answer, in words of its own or of its provider.
    Refused,
    /// The model's last reply was cut off.
    Incomplete,
    /// [`Limits::max_steps`](super::Limits::max_steps) is reached.
    MaxSteps,
    /// [`Limits::max_tool_calls`](super::Limits::max_tool_calls) is reached.
    MaxToolCalls,
    /// The model went on making one call that [was not run again](super::Limits::repeat_limit).
    RepeatedCalls,
    /// [`Limits::deadline`](super::Limits::deadline) has passed.
    Deadline,
    /// The caller cancelled the run, or dropped the future that drove it.
    Cancelled,
    /// The model failed, or a tool failed fatally.
    Error,
}

impl StopReason {
    /// Every reason.
    pub const ALL: [Self; 10] = [
        Self::Answered,
        Self::Empty,
        Self::Refused,
        Self::Incomplete,
        Self::MaxSteps,
        Self::MaxToolCalls,
        Self::RepeatedCalls,
        Self::Deadline,
        Self::Cancelled,
        Self::Error,
    ];

    /// The reason as a word, such as `max_steps`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Empty => "empty",
            Self::Refused => "refused",
            Self::Incomplete => "incomplete",
            Self::MaxSteps => "max_steps",
            Self::MaxToolCalls => "max_tool_calls",
            Self::RepeatedCalls => "repeated_calls",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
            Self::Error => "error",
        }
    }

    /// What a call is told that was pending when the run stopped.
    pub(super) fn why_pending_calls_end(self) -> &'static str {
        match self {
            Self::MaxToolCalls => "the run's limit of tool calls is reached",
            Self::RepeatedCalls => {
                "the run was stopped because one call was repeated over and over"
            }
            Self::Deadline => "the run's deadline passed while the call was pending",
            Self::Error => "the run ended with an error while the call was pending",
            _ => "the run was cancelled while the call was pending",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
