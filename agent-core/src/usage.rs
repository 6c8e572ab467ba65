//! What a run has used.

use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::trace::milliseconds;

/// Tokens, as the provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Tokens of the requests, cached ones included.
    pub prompt_tokens: u64,
    /// Tokens of the replies.
    pub completion_tokens: u64,
    /// Those of `prompt_tokens` that the provider read from its cache.
    pub cached_tokens: u64,
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        let Self { prompt_tokens, completion_tokens, cached_tokens } = other;
        self.prompt_tokens = self.prompt_tokens.saturating_add(prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(completion_tokens);
        self.cached_tokens = self.cached_tokens.saturating_add(cached_tokens);
    }
}

/// What one run did, counted exactly. Times serialise as milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Counts {
    /// Model requests that were answered.
    pub steps: u32,
    /// Tool calls that were answered, failed ones included: one for each tool result in the
    /// transcript.
    pub tool_calls: u32,
    /// Tokens of all steps.
    pub usage: Usage,
    /// Time spent waiting for the model.
    #[serde(rename = "model_ms", serialize_with = "milliseconds")]
    pub model_time: Duration,
    /// Time spent in tools: the sum over the calls, which may have run side by side.
    #[serde(rename = "tool_ms", serialize_with = "milliseconds")]
    pub tool_time: Duration,
}
