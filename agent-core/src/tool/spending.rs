//! What tools spend in models of their own, within what the run has left.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::budget::Ledger;
use crate::cost::Cost;
use crate::usage::Spent;

/// What the calls that run side by side may spend together, and what they have spent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spending {
    purse: Arc<Mutex<Purse>>,
    /// Where the run's tokens of the day are counted.
    ledger: Option<Ledger>,
}

/// What is left of the budgets of a run, each of which it may not have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Left {
    pub(crate) tokens: Option<u64>,
    pub(crate) cost: Option<Cost>,
}

#[derive(Debug, Default)]
struct Purse {
    /// What is neither used nor set aside.
    left: Left,
    /// What was used and has not been taken yet.
    used: Spent,
}

impl Left {
    fn is_used_up(self) -> bool {
        self.tokens == Some(0) || self.cost == Some(Cost::default())
    }

    /// The lesser of each.
    fn min(self, other: Self) -> Self {
        Self {
            tokens: [self.tokens, other.tokens].into_iter().flatten().min(),
            cost: [self.cost, other.cost].into_iter().flatten().min(),
        }
    }

    /// What is left after this was spent.
    pub(crate) fn without(self, Spent { tokens, cost, .. }: Spent) -> Self {
        Self {
            tokens: self.tokens.map(|left| left.saturating_sub(tokens)),
            cost: self.cost.map(|left| left.saturating_sub(cost)),
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.map(|left| left.saturating_add(other.tokens.unwrap_or_default())),
            cost: self.cost.map(|left| left + other.cost.unwrap_or_default()),
        }
    }
}

impl Spending {
    /// Spending within what is `left`.
    pub(crate) fn new(left: Left, ledger: Option<Ledger>) -> Self {
        let purse = Purse { left, used: Spent::default() };
        Self { purse: Arc::new(Mutex::new(purse)), ledger }
    }

    /// Where the run's tokens of the day are counted, if they are limited.
    pub(crate) fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_ref()
    }

    /// Sets something aside for one call: as much as it wants, or all that is left where that is
    /// less. Gives nothing where nothing is left.
    pub(crate) fn share(&self, wanted: Left) -> Option<Share> {
        let mut purse = self.purse();
        if purse.left.is_used_up() {
            return None;
        }
        let set_aside = purse.left.min(wanted);
        purse.left = purse.left.without(set_aside.into());
        drop(purse);
        Some(Share { spending: self.clone(), set_aside, used: Spent::default() })
    }

    /// What was used since this was last asked.
    pub(crate) fn take(&self) -> Spent {
        std::mem::take(&mut self.purse().used)
    }

    fn purse(&self) -> MutexGuard<'_, Purse> {
        self.purse.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<Left> for Spent {
    fn from(Left { tokens, cost }: Left) -> Self {
        let (tokens, cost) = (tokens.unwrap_or_default(), cost.unwrap_or_default());
        Self { tokens, cost, ..Self::default() }
    }
}

/// What was set aside for one call. When it is dropped, what was used is counted and the rest goes
/// back.
#[derive(Debug)]
pub(crate) struct Share {
    spending: Spending,
    set_aside: Left,
    used: Spent,
}

impl Share {
    /// What it has, of each budget that there is.
    pub(crate) fn set_aside(&self) -> Left {
        self.set_aside
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
        purse.left = purse.left.with(self.set_aside).without(self.used);
    }
}

#[cfg(test)]
mod tests {
    use super::{Left, Spending};
    use crate::cost::Cost;
    use crate::usage::{Spent, Usage};

    fn tokens(prompt_tokens: u64, completion_tokens: u64) -> Spent {
        let usage = Usage { prompt_tokens, completion_tokens, cached_tokens: 0 };
        Spent { usage, tokens: usage.total(), ..Spent::default() }
    }

    fn of(tokens: u64) -> Left {
        Left { tokens: Some(tokens), cost: None }
    }

    fn left(spending: &Spending) -> Option<u64> {
        spending.share(Left::default()).and_then(|share| share.set_aside().tokens)
    }

    #[test]
    fn shares_held_at_one_time_are_together_no_more_than_what_is_left() {
        let spending = Spending::new(of(100), None);
        let first = spending.share(of(60)).unwrap();
        let second = spending.share(of(60)).unwrap();
        assert_eq!((first.set_aside().tokens, second.set_aside().tokens), (Some(60), Some(40)));
        assert!(spending.share(of(1)).is_none());
        drop(first);
        assert_eq!(left(&spending), Some(60));
    }

    #[test]
    fn what_is_used_is_counted_once_and_what_is_not_goes_back() {
        let spending = Spending::new(of(100), None);
        let mut share = spending.share(of(60)).unwrap();
        share.spend(tokens(10, 5));
        assert_eq!(spending.take(), Spent::default());
        drop(share);
        assert_eq!((spending.take(), spending.take()), (tokens(10, 5), Spent::default()));
        assert_eq!(left(&spending), Some(85));
        let mut share = spending.share(of(20)).unwrap();
        share.spend(tokens(u64::MAX, 90));
        drop(share);
        assert_eq!(left(&spending), None);
        assert!(spending.share(Left::default()).is_none(), "more was used than was set aside");
    }

    #[test]
    fn without_a_budget_a_call_has_what_it_wants() {
        let spending = Spending::default();
        assert_eq!(spending.share(Left::default()).unwrap().set_aside().tokens, None);
        assert_eq!(spending.share(of(7)).unwrap().set_aside().tokens, Some(7));
    }

    #[test]
    fn money_is_set_aside_and_goes_back_as_tokens_do() {
        let dollars = |dollars| Cost::from_dollars(dollars).unwrap();
        let cost = |amount| Left { cost: Some(dollars(amount)), tokens: None };
        let spending = Spending::new(cost(3.0), None);
        let mut share = spending.share(cost(2.0)).unwrap();
        assert_eq!(spending.share(Left::default()).unwrap().set_aside(), cost(1.0));
        share.spend(Spent { cost: dollars(0.5), ..Spent::default() });
        drop(share);
        assert_eq!(spending.share(Left::default()).unwrap().set_aside(), cost(2.5));
        let mut share = spending.share(Left::default()).unwrap();
        share.spend(Spent { cost: dollars(4.0), ..Spent::default() });
        assert!(spending.share(Left::default()).is_none(), "it is set aside");
        drop(share);
        assert!(spending.share(Left::default()).is_none(), "it is used up");
    }
}
