use std::fs;

use futures_util::future::join_all;

use super::super::account::{Charge, Receipt};
use super::super::error::BudgetError;
use super::super::ledger::Ledger;
use super::{Place, text, today};

impl Place {
    fn ledger(&self, tokens: u64) -> Ledger {
        Ledger::with_clock(&self.budget(tokens), today)
    }
}

/// The receipt of a charge, if it was granted.
async fn granted(ledger: &Ledger, expected: u64) -> Option<Receipt> {
    match ledger.charge(expected).await.unwrap() {
        Charge::Granted(receipt) => Some(receipt),
        Charge::UsedUp(_) => None,
    }
}

#[tokio::test]
async fn a_charge_is_in_the_file_before_the_request_and_settled_after_it() {
    let place = Place::new();
    let ledger = place.ledger(100);
    let receipt = granted(&ledger, 60).await.unwrap();
    assert_eq!(place.text(), text(60));
    ledger.settle(receipt, 45).await.unwrap();
    assert_eq!(place.text(), text(45));
}

#[tokio::test]
async fn the_budget_outlives_the_ledger() {
    let place = Place::new();
    granted(&place.ledger(100), 100).await.unwrap();
    let Charge::UsedUp(usage) = place.ledger(100).charge(1).await.unwrap() else {
        panic!("it was granted");
    };
    assert_eq!((usage.used, usage.limit), (100, 100));
}

#[tokio::test]
async fn what_a_ledger_takes_is_told_as_used_today() {
    let place = Place::new();
    granted(&Ledger::new(&place.budget(100)), 30).await.unwrap();
    let usage = place.budget(100).usage().unwrap();
    assert_eq!((usage.used, usage.limit), (30, 100));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_runs_see_each_other_and_lose_nothing() {
    let place = Place::new();
    // Ledgers of their own as well as clones of one.
    let ledgers = [place.ledger(1000), place.ledger(1000)];
    let runs = (0..500).map(|n: usize| {
        let ledger = ledgers[n % 2].clone();
        tokio::spawn(async move {
            let receipt = granted(&ledger, 10).await;
            let made = receipt.is_some();
            if let Some(receipt) = receipt {
                ledger.settle(receipt, 12).await.unwrap();
            }
            made
        })
    });
    let made = join_all(runs).await.into_iter().filter(|made| *made.as_ref().unwrap()).count();
    // At least as many as if all had settled first, at most as if none had.
    assert!((84..=100).contains(&made), "{made}");
    assert_eq!(place.used(), 12 * made as u64);
}

#[tokio::test]
async fn every_run_that_waits_is_told_what_is_wrong_and_a_repaired_file_is_used() {
    let place = Place::with("");
    let ledger = place.ledger(100);
    let errors = join_all((0..50).map(|_| ledger.charge(1))).await;
    assert!(errors.iter().all(|error| matches!(error, Err(BudgetError::Corrupt { .. }))));
    assert_eq!(place.text(), "");

    fs::write(&place.file, text(5)).unwrap();
    granted(&ledger, 1).await.unwrap();
    assert_eq!(place.used(), 6);
}
