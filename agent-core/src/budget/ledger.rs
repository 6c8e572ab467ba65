//! What a run charges its requests to.

use std::sync::Arc;

use super::DailyBudget;
use super::account::{Charge, Receipt};
use super::day::Day;
use super::error::BudgetError;
use super::queue::{Change, Queue};

/// Takes tokens from a [`DailyBudget`]. Clones, and all ledgers of one file in this process, share
/// their writes.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    limit: u64,
    queue: Arc<Queue>,
}

impl Ledger {
    /// A ledger of `budget`. Nothing is read or written before the first charge.
    pub(crate) fn new(budget: &DailyBudget) -> Self {
        Self::with_clock(budget, Day::today)
    }

    pub(super) fn with_clock(budget: &DailyBudget, today: fn() -> Day) -> Self {
        Self { limit: budget.tokens, queue: Queue::of(&budget.file, today) }
    }

    /// Takes `expected` tokens from today's budget, before a request is sent: concurrent runs then
    /// see each other, and a crash forgets no request.
    ///
    /// If this future is dropped before the tokens are taken, they are not; otherwise they stay
    /// taken until they are [settled](Self::settle).
    ///
    /// # Errors
    ///
    /// The file cannot be kept, and no request may be sent.
    pub(crate) async fn charge(&self, expected: u64) -> Result<Charge, BudgetError> {
        self.queue.submit(Change::Charge { expected, limit: self.limit }).await
    }

    /// Puts a charge right by what the reply really took, which may be more or less. If the day
    /// has changed meanwhile, only what is more goes to the new day.
    ///
    /// Once this future has been polled, the correction is made, also if it is dropped.
    ///
    /// # Errors
    ///
    /// The file cannot be kept; the charge stays as it was.
    pub(crate) async fn settle(&self, receipt: Receipt, actual: u64) -> Result<(), BudgetError> {
        self.queue.submit(Change::Settle { receipt, actual }).await.map(drop)
    }
}
