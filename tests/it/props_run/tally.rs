//! A count of our own, from the events alone.

use std::sync::Mutex;
use std::time::Duration;

use agent_core::{Cost, Counts, Event, Limits, StopReason, Usage};

use super::model::prices;

/// What was told of one run.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    pub(super) run: String,
    pub(super) replied: u32,
    pub(super) started: u32,
    pub(super) finished: u32,
    pub(super) usage: Usage,
    pub(super) cost: Cost,
    pub(super) model_time: Duration,
    pub(super) tool_time: Duration,
    pub(super) stopped: Option<(StopReason, Counts)>,
    /// Whether the model was asked though a budget was used up.
    pub(super) asked_over_budget: bool,
}

/// The runs, in the order they were told of.
pub(super) struct Tallies {
    limits: Limits,
    runs: Mutex<Vec<Tally>>,
}

impl Tallies {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, runs: Mutex::default() }
    }

    pub(super) fn runs(&self) -> Vec<Tally> {
        self.runs.lock().unwrap().clone()
    }

    pub(super) fn tell(&self, event: &Event) {
        let mut runs = self.runs.lock().unwrap();
        if let Event::RunStarted { run_id, .. } = event {
            // A run that was restored is told of by the same id.
            if runs.last().is_none_or(|tally| tally.run != *run_id) {
                runs.push(Tally { run: run_id.clone(), ..Tally::default() });
            }
            return;
        }
        let tally = runs.last_mut().expect("an event of a run comes after its start");
        match event {
            Event::StepStarted { .. } => {
                let Limits { token_budget, cost_budget, .. } = self.limits;
                let used = tally.usage.total();
                tally.asked_over_budget |= token_budget.is_some_and(|budget| used >= budget)
                    || cost_budget.is_some_and(|budget| tally.cost >= budget);
            }
            Event::Replied { usage, time, .. } => {
                tally.replied += 1;
                tally.usage += *usage;
                tally.cost += prices().cost(*usage);
                tally.model_time += *time;
            }
            Event::CallStarted { .. } => tally.started += 1,
            Event::CallFinished { time, .. } => {
                tally.finished += 1;
                tally.tool_time += *time;
            }
            Event::Stopped { stop, counts, .. } => tally.stopped = Some((*stop, *counts)),
            _ => {}
        }
    }
}
