//! What a run has used.

use std::ops::AddAssign;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cost::Cost;

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

impl Usage {
    /// Tokens of requests and replies.
    #[must_use]
    pub fn total(self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }
}

/// What was used, as the provider counted it and as it counts against budgets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    pub(crate) usage: Usage,
    /// Tokens that count against a budget: those of `usage`, and estimates of what no one counted.
    pub(crate) tokens: u64,
    /// What they cost, where the model has prices.
    pub(crate) cost: Cost,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, Self { usage, tokens, cost }: Self) {
        self.usage += usage;
        self.tokens = self.tokens.saturating_add(tokens);
        self.cost += cost;
    }
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(rename = "model_ms", with = "milliseconds")]
    pub model_time: Duration,
    /// Time spent in tools: the sum over the calls, which may have run side by side.
    #[serde(rename = "tool_ms", with = "milliseconds")]
    pub tool_time: Duration,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        let Self { steps, tool_calls, usage, model_time, tool_time } = other;
        self.steps = self.steps.saturating_add(steps);
        self.tool_calls = self.tool_calls.saturating_add(tool_calls);
        self.usage += usage;
        self.model_time = self.model_time.saturating_add(model_time);
        self.tool_time = self.tool_time.saturating_add(tool_time);
    }
}

/// Times as milliseconds, exact to the nanosecond for weeks.
pub(crate) mod milliseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64() * 1e3)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        let nanoseconds = (f64::deserialize(deserializer)? * 1e6).round();
        if (0.0..1e18).contains(&nanoseconds) {
            Ok(Duration::from_nanos(nanoseconds as u64))
        } else {
            Err(D::Error::custom("a time is 0 milliseconds or more"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Counts;

    #[test]
    fn counts_read_back_equal() {
        for nanoseconds in [0, 1, 999, 1_234_567_891, 604_800_000_000_003] {
            let time = Duration::from_nanos(nanoseconds);
            let counts = Counts { steps: 3, model_time: time, ..Counts::default() };
            let json = serde_json::to_string(&counts).unwrap();
            assert_eq!(serde_json::from_str::<Counts>(&json).unwrap(), counts, "{json}");
        }
    }
}
