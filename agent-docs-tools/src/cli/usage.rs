//! What a conversation has used, for people to read.

use agent_core::{Counts, Prices};

use super::outcome::counted;
use super::steps::shown;

/// Tells the steps, calls, tokens and time, and the cost where there are prices.
pub(crate) fn told(counts: &Counts, prices: Option<Prices>) -> String {
    let Counts { steps, tool_calls, usage, model_time, tool_time, .. } = *counts;
    let work = format!(
        "{} ({}), {} ({})",
        counted(steps, "step"),
        shown(model_time),
        counted(tool_calls, "tool call"),
        shown(tool_time),
    );
    if usage.total() == 0 {
        return format!("{work}\nno tokens");
    }
    let cost = prices.map(|prices| format!("\n{}", prices.cost(usage))).unwrap_or_default();
    format!(
        "{work}\n{} tokens: {} of requests, {} of them cached, and {} of replies{cost}",
        usage.total(),
        usage.prompt_tokens,
        usage.cached_tokens,
        usage.completion_tokens,
    )
}
