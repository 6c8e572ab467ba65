//! Charging requests to the budget of the day.

use super::Drive;
use crate::agent::RunError;
use crate::budget::{Charge, Receipt};

/// What was taken from the budget of the day for a request, if there is such a budget.
pub(super) struct Taken(Option<Receipt>);

impl Drive<'_> {
    /// Takes what a request is expected to need. None if nothing of the day's budget is left.
    pub(super) async fn charge(&self, expected: u64) -> Result<Option<Taken>, RunError> {
        let Some(ledger) = &self.run.ledger else { return Ok(Some(Taken(None))) };
        match ledger.charge(expected).await.map_err(RunError::Budget)? {
            Charge::Granted(receipt) => Ok(Some(Taken(Some(receipt)))),
            Charge::UsedUp(_) => Ok(None),
        }
    }

    /// Puts right what was taken, once the reply tells what it took.
    pub(super) async fn settle_charge(&self, taken: Taken, actual: u64) -> Result<(), RunError> {
        match (&self.run.ledger, taken) {
            (Some(ledger), Taken(Some(receipt))) => {
                ledger.settle(receipt, actual).await.map_err(RunError::Budget)
            }
            _ => Ok(()),
        }
    }
}
