//! How far a run has come.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::repeat::RepeatGuard;
use super::{Limits, StopReason};
use crate::cost::Cost;
use crate::usage::{Counts, Spent};

/// What is counted and remembered from the first step of a run to its stop.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) counts: Counts,
    /// Tokens that count against the budget: those of the counts, and estimates of what no one counted.
    pub(super) tokens: u64,
    /// What they cost, where the model has prices.
    pub(super) cost: Cost,
    pub(super) repeat: RepeatGuard,
    /// How many calls were run.
    pub(super) executed: u32,
    /// How many of the last steps came to nothing but errors.
    pub(super) failed: u32,
    /// The tools whose calls were allowed for the rest of the run.
    pub(super) allowed: BTreeSet<String>,
    pub(super) answer: Option<String>,
    /// How many answers were not what is wanted.
    pub(super) unfit: u32,
}

impl Progress {
    /// Counts what was used, against the budgets too.
    pub(super) fn spend(&mut self, Spent { usage, tokens, cost }: Spent) {
        self.counts.usage += usage;
        self.tokens = self.tokens.saturating_add(tokens);
        self.cost += cost;
    }

    /// The budget that is used up, if one is.
    pub(super) fn used_up(&self, limits: &Limits) -> Option<StopReason> {
        let tokens = limits.token_budget.is_some_and(|budget| self.tokens >= budget);
        let cost = limits.cost_budget.is_some_and(|budget| self.cost >= budget);
        match (tokens, cost) {
            (true, _) => Some(StopReason::TokenBudget),
            (false, true) => Some(StopReason::CostBudget),
            (false, false) => None,
        }
    }
}
