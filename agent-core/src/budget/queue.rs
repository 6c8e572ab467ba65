//! The changes of concurrent runs, many in one write.

use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;

use tokio::sync::oneshot;

use super::account::{Account, Charge, Receipt};
use super::day::Day;
use super::error::BudgetError;
use super::file::{BudgetFile, PAUSE};

/// The changes of one file that wait for their turn.
#[derive(Debug)]
pub(super) struct Queue {
    file: BudgetFile,
    today: fn() -> Day,
    pending: Mutex<Pending>,
}

#[derive(Debug, Default)]
struct Pending {
    waiting: Vec<Waiting>,
    /// Whether a thread is at work on this queue.
    working: bool,
}

#[derive(Debug)]
struct Waiting {
    change: Change,
    answer: oneshot::Sender<Result<Charge, BudgetError>>,
}

#[derive(Debug)]
pub(super) enum Change {
    Charge { expected: u64, limit: u64 },
    Settle { receipt: Receipt, actual: u64 },
}

impl Queue {
    /// The queue of a file, one for the whole process: a thousand agents of one file must not each
    /// keep a thread waiting for the lock.
    pub(super) fn of(file: &Path, today: fn() -> Day) -> Arc<Self> {
        static QUEUES: Mutex<BTreeMap<PathBuf, Weak<Queue>>> = Mutex::new(BTreeMap::new());

        let file = BudgetFile::new(file);
        let mut queues = QUEUES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = queues.get(file.path()).and_then(Weak::upgrade) {
            return queue;
        }
        queues.retain(|_, queue| queue.strong_count() > 0);
        let queue = Arc::new(Self { file, today, pending: Mutex::default() });
        queues.insert(queue.file.path().to_owned(), Arc::downgrade(&queue));
        queue
    }

    /// Waits until a change is in the file.
    pub(super) async fn submit(self: &Arc<Self>, change: Change) -> Result<Charge, BudgetError> {
        let (answer, answered) = oneshot::channel();
        self.push(Waiting { change, answer });
        answered.await.unwrap_or_else(|gone| {
            Err(BudgetError::access("write", self.file.path(), io::Error::other(gone)))
        })
    }

    fn push(self: &Arc<Self>, waiting: Waiting) {
        let mut pending = self.pending();
        pending.waiting.push(waiting);
        if !mem::replace(&mut pending.working, true) {
            let queue = Arc::clone(self);
            blocking::unblock(move || queue.work()).detach();
        }
    }

    /// Writes batch after batch, each with all that came while the one before was written, until
    /// nothing waits.
    fn work(&self) {
        while let Some(batch) = self.next_batch() {
            self.write(batch);
            thread::sleep(PAUSE);
        }
    }

    fn next_batch(&self) -> Option<Vec<Waiting>> {
        let mut pending = self.pending();
        pending.working = !pending.waiting.is_empty();
        pending.working.then(|| mem::take(&mut pending.waiting))
    }

    fn write(&self, mut batch: Vec<Waiting>) {
        batch.retain(Waiting::is_wanted);
        let (changes, answers): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|waiting| (waiting.change, waiting.answer)).unzip();
        let apply = |account: &mut Account| -> Vec<_> {
            changes.into_iter().map(|change| change.apply(account)).collect()
        };
        // A run that is gone by now needs no answer; what was taken for it stays taken.
        match self.file.update((self.today)(), apply) {
            Ok(charges) => {
                for (answer, charge) in answers.into_iter().zip(charges) {
                    answer.send(Ok(charge)).ok();
                }
            }
            Err(error) => {
                for answer in answers {
                    answer.send(Err(error.clone())).ok();
                }
            }
        }
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    /// Whether it is still to be written: a charge that no one waits for is not taken.
    fn is_wanted(&self) -> bool {
        matches!(self.change, Change::Settle { .. }) || !self.answer.is_closed()
    }
}

impl Change {
    fn apply(self, account: &mut Account) -> Charge {
        match self {
            Self::Charge { expected, limit } => account.charge(expected, limit),
            Self::Settle { receipt, actual } => Charge::Granted(account.settle(&receipt, actual)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use futures_util::FutureExt;

    use super::super::ledger::Ledger;
    use super::super::tests::{Place, today};
    use super::*;

    #[tokio::test]
    async fn a_charge_that_no_one_waits_for_is_not_taken_but_a_settlement_is_made() {
        let place = Place::new();
        let ledger = Ledger::with_clock(&place.budget(100), today);
        let queue = Queue::of(&place.file, today);
        let Ok(Charge::Granted(receipt)) = ledger.charge(10).await else { panic!("not granted") };

        let lock = File::create(place.file.with_extension("json.lock")).unwrap();
        lock.lock().unwrap();
        assert!(ledger.settle(receipt, 7).now_or_never().is_none());
        while !queue.pending().waiting.is_empty() {
            thread::sleep(PAUSE);
        }
        // The settlement is now held up by the lock, and the charge by the settlement.
        assert!(ledger.charge(50).now_or_never().is_none());
        drop(lock);
        ledger.charge(1).await.unwrap();
        assert_eq!(place.used(), 8);
    }
}
