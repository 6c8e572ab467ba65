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
    /// The model's answers were not of the type [asked for](crate::Agent::run_as), once more than
    /// [`Limits::answer_retries`](super::Limits::answer_retries) allows.
    InvalidAnswer,
    /// [`Limits::max_steps`](super::Limits::max_steps) is reached.
    MaxSteps,
    /// [`Limits::max_tool_calls`](super::Limits::max_tool_calls) is reached.
    MaxToolCalls,
    /// [`Limits::token_budget`](super::Limits::token_budget) is used up.
    TokenBudget,
    /// [`Limits::cost_budget`](super::Limits::cost_budget) is used up.
    CostBudget,
    /// [`Limits::daily_budget`](super::Limits::daily_budget) is used up.
    DailyBudget,
    /// The model went on making calls that [were not run again](super::Limits::repeat_limit).
    RepeatedCalls,
    /// [`Limits::failing_limit`](super::Limits::failing_limit) steps in a row came to nothing but
    /// errors.
    Failing,
    /// A call waits for someone to decide on it. The run goes on after that.
    AwaitingApproval,
    /// [`Limits::deadline`](super::Limits::deadline) has passed.
    Deadline,
    /// The caller cancelled the run, or dropped the future that drove it.
    Cancelled,
    /// The model failed, or a tool failed fatally.
    Error,
}

impl StopReason {
    /// Every reason.
    pub const ALL: [Self; 16] = [
        Self::Answered,
        Self::Empty,
        Self::Refused,
        Self::Incomplete,
        Self::InvalidAnswer,
        Self::MaxSteps,
        Self::MaxToolCalls,
        Self::TokenBudget,
        Self::CostBudget,
        Self::DailyBudget,
        Self::RepeatedCalls,
        Self::Failing,
        Self::AwaitingApproval,
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
            Self::InvalidAnswer => "invalid_answer",
            Self::MaxSteps => "max_steps",
            Self::MaxToolCalls => "max_tool_calls",
            Self::TokenBudget => "token_budget",
            Self::CostBudget => "cost_budget",
            Self::DailyBudget => "daily_budget",
            Self::RepeatedCalls => "repeated_calls",
            Self::Failing => "failing",
            Self::AwaitingApproval => "awaiting_approval",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
            Self::Error => "error",
        }
    }

    /// What a call is told that was pending when the run stopped.
    pub(super) fn why_pending_calls_end(self) -> &'static str {
        match self {
            Self::Answered => "the run has its answer",
            Self::InvalidAnswer => "the run was stopped because its answers did not fit",
            Self::MaxToolCalls => "the run's limit of tool calls is reached",
            Self::TokenBudget => "the run's budget of tokens is used up",
            Self::CostBudget => "the run's budget of money is used up",
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
