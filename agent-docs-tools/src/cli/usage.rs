//! What a conversation has used, for people to read.

use agent_core::Counts;

use super::outcome::counted;
use super::steps::shown;

/// Tells the steps, calls, tokens and time.
pub(crate) fn told(counts: &Counts) -> String {
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
    format!(
        "{work}\n{} tokens: {} of requests, {} of them cached, and {} of replies",
        usage.total(),
        usage.prompt_tokens,
        usage.cached_tokens,
        usage.completion_tokens,
    )
}
