//! Tokens that tools spend in models of their own, within what the run has left.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::budget::Ledger;
use crate::usage::Spent;

/// What the calls that run side by side may spend together, and what they have spent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spending {
    purse: Arc<Mutex<Purse>>,
    /// Where the run's tokens of the day are counted.
    ledger: Option<Ledger>,
}

#[derive(Debug, Default)]
struct Purse {
    /// Tokens that are neither used nor set aside; none where there is no budget.
    left: Option<u64>,
    /// What was used and has not been taken yet.
    used: Spent,
}

impl Spending {
    /// Spending within the tokens that are `left` of a budget, if there is one.
    pub(crate) fn new(left: Option<u64>, ledger: Option<Ledger>) -> Self {
        let purse = Purse { left, used: Spent::default() };
        Self { purse: Arc::new(Mutex::new(purse)), ledger }
    }

    /// Where the run's tokens of the day are counted, if they are limited.
    pub(crate) fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_ref()
    }

    /// Sets tokens aside for one call: as many as it wants, or all that are left where that is
    /// less. Gives nothing where none are left.
    pub(crate) fn share(&self, wanted: Option<u64>) -> Option<Share> {
        let mut purse = self.purse();
        let tokens = [purse.left, wanted].into_iter().flatten().min();
        if purse.left == Some(0) {
            return None;
        }
        purse.left = purse.left.map(|left| left.saturating_sub(tokens.unwrap_or_default()));
        drop(purse);
        Some(Share { spending: self.clone(), tokens, used: Spent::default() })
    }

    /// What was used since this was last asked.
    pub(crate) fn take(&self) -> Spent {
        std::mem::take(&mut self.purse().used)
    }

    fn purse(&self) -> MutexGuard<'_, Purse> {
        self.purse.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tokens set aside for one call. When it is dropped, what was used is counted and the rest goes
/// back.
#[derive(Debug)]
pub(crate) struct Share {
    spending: Spending,
    tokens: Option<u64>,
    used: Spent,
}

impl Share {
    /// How many tokens it has, if there is a limit.
    pub(crate) fn tokens(&self) -> Option<u64> {
        self.tokens
    }

    /// Counts what was used, also where that is more than the share.
    pub(crate) fn spend(&mut self, spent: Spent) {
        self.used += spent;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut purse = self.spending.purse();
        purse.used += self.used;
        let (set_aside, used) = (self.tokens.unwrap_or_default(), self.used.tokens);
        purse.left = purse.left.map(|left| left.saturating_add(set_aside).saturating_sub(used));
    }
}

#[cfg(test)]
mod tests {
    use super::Spending;
    use crate::usage::{Spent, Usage};

    fn tokens(prompt_tokens: u64, completion_tokens: u64) -> Spent {
        let usage = Usage { prompt_tokens, completion_tokens, cached_tokens: 0 };
        Spent { usage, tokens: usage.total(), ..Spent::default() }
    }

    fn left(spending: &Spending) -> Option<u64> {
        spending.share(None).and_then(|share| share.tokens())
    }

    #[test]
    fn shares_held_at_one_time_are_together_no_more_than_what_is_left() {
        let spending = Spending::new(Some(100), None);
        let first = spending.share(Some(60)).unwrap();
        let second = spending.share(Some(60)).unwrap();
        assert_eq!((first.tokens(), second.tokens()), (Some(60), Some(40)));
        assert!(spending.share(Some(1)).is_none());
        drop(first);
        assert_eq!(left(&spending), Some(60));
    }

    #[test]
    fn what_is_used_is_counted_once_and_what_is_not_goes_back() {
        let spending = Spending::new(Some(100), None);
        let mut share = spending.share(Some(60)).unwrap();
        share.spend(tokens(10, 5));
        assert_eq!(spending.take(), Spent::default());
        drop(share);
        assert_eq!((spending.take(), spending.take()), (tokens(10, 5), Spent::default()));
        assert_eq!(left(&spending), Some(85));
        let mut share = spending.share(Some(20)).unwrap();
        share.spend(tokens(u64::MAX, 90));
        drop(share);
        assert_eq!(left(&spending), None);
        assert!(spending.share(None).is_none(), "more was used than was set aside");
    }

    #[test]
    fn without_a_budget_a_call_has_what_it_wants() {
        let spending = Spending::default();
        assert_eq!(spending.share(None).unwrap().tokens(), None);
        assert_eq!(spending.share(Some(7)).unwrap().tokens(), Some(7));
    }
}
