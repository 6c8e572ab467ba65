//! What a run came to, for programs and for people.

use agent_core::{Cost, Counts, Run, StopReason, Usage};
use serde::Serialize;

/// What a run came to, as `--json` prints it.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) answer: Option<String>,
    stop: Option<StopReason>,
    steps: u32,
    tool_calls: u32,
    usage: Usage,
    /// Where the model has prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_usd: Option<Cost>,
}

impl Outcome {
    pub(crate) fn of(run: &Run) -> Self {
        let Counts { steps, tool_calls, usage, .. } = run.counts();
        let (answer, cost_usd) = (run.answer().ok(), run.cost());
        Self { answer, stop: run.stop(), steps, tool_calls, usage, cost_usd }
    }
}

/// Says that a run stopped without an answer, why, and what may help.
pub(crate) fn stopped(run: &Run) -> String {
    let Counts { steps, tool_calls, .. } = run.counts();
    let stop = run.stop().unwrap_or(StopReason::Cancelled);
    format!(
        "stopped without an answer: {stop} ({}, {}){}",
        counted(steps, "step"),
        counted(tool_calls, "tool call"),
        advice(stop)
    )
}

pub(crate) fn counted(count: u32, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn advice(stop: StopReason) -> &'static str {
    match stop {
        StopReason::MaxSteps => "; raise --max-steps or ask a narrower question",
        StopReason::MaxToolCalls => "; ask a narrower question",
        StopReason::Incomplete => "; the last reply was cut off, ask a narrower question",
        StopReason::Empty => "; the last reply was empty, ask again in other words",
        StopReason::RepeatedCalls => "; the model made one call over and over, ask in other words",
        StopReason::TokenBudget => "; raise --token-budget or ask a narrower question",
        StopReason::DailyBudget => "; raise --daily-budget, or ask again tomorrow (in UTC)",
        StopReason::Deadline => "; give it more time with --deadline",
        StopReason::Failing => "; the calls of each of its last steps failed",
        _ => "",
    }
}
