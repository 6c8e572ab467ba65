use proptest::prelude::*;

use super::super::account::{Account, Charge, Receipt, Unreadable};
use super::super::day::Day;
use super::{day, text, today};

fn used(used: u64) -> Account {
    Account { day: today(), used }
}

fn granted(charge: Charge) -> Receipt {
    match charge {
        Charge::Granted(receipt) => receipt,
        Charge::UsedUp(usage) => panic!("{usage}"),
    }
}

#[test]
fn a_request_is_granted_while_any_token_is_left() {
    let mut account = used(99);
    granted(account.charge(500, 100));
    assert_eq!(account.used, 599);
    let Charge::UsedUp(usage) = account.charge(1, 100) else { panic!("it was granted") };
    assert_eq!(usage.to_string(), "599 of 100 tokens used on 2026-11-30 (UTC)");
    assert_eq!(account.used, 599);
    assert!(matches!(used(0).charge(1, 0), Charge::UsedUp(_)));
}

#[test]
fn settling_puts_the_charge_right_either_way() {
    for actual in [0, 40, 50, 60] {
        let mut account = used(7);
        let receipt = granted(account.charge(50, 100));
        account.settle(&receipt, actual);
        assert_eq!(account, used(7 + actual));
    }
}

#[test]
fn on_a_new_day_only_what_is_more_than_was_charged_is_taken() {
    for (actual, taken) in [(10, 0), (50, 0), (65, 15)] {
        let receipt = granted(used(0).charge(50, 100));
        let mut account = Account { day: today().next(), used: 100 };
        account.settle(&receipt, actual);
        assert_eq!(account.used, 100 + taken);
    }
}

#[test]
fn a_day_later_nothing_is_used_and_a_day_earlier_the_count_goes_on() {
    assert_eq!(used(5).on(today()), Some(used(5)));
    assert_eq!(used(5).on(day("2027-03-01")), Some(Account::new(day("2027-03-01"))));
    assert_eq!(used(5).on(day("2026-11-29")), Some(used(5)));
    assert_eq!(used(5).on(day("2026-11-28")), None);
    assert_eq!(used(5).on(day("1970-01-01")), None);
}

#[test]
fn counts_stop_at_the_largest_number() {
    let mut account = used(u64::MAX - 1);
    let receipt = granted(account.charge(50, u64::MAX));
    assert_eq!(account.used, u64::MAX);
    account.settle(&receipt, u64::MAX);
    assert_eq!(account.used, u64::MAX);
    assert_eq!(Account::parse(account.to_json().unwrap().as_bytes()), Ok(account));
}

#[test]
fn the_file_is_as_documented() {
    assert_eq!(text(12345), "{\"version\":1,\"day\":\"2026-11-30\",\"used\":12345}\n");
    let by_hand = "\n{ \"used\": 12345,\n  \"day\": \"2026-11-30\", \"version\": 1 }\n\n";
    assert_eq!(Account::parse(by_hand.as_bytes()), Ok(used(12345)));
}

#[test]
fn what_is_no_account_is_refused_with_the_reason() {
    let long = text(1) + &" ".repeat(5000);
    let cases = [
        ("", "it is empty"),
        (&long, "it is too long"),
        ("\0\0\0\0", "expected value at line 1 column 1"),
        ("[]", "invalid length 0"),
        (r#"{"version":1,"day":"2026-11-30"}"#, "missing field `used`"),
        (r#"{"day":"2026-11-30","used":1}"#, "missing field `version`"),
        (r#"{"version":0,"day":"2026-11-30","used":1}"#, "there is no version 0"),
        (r#"{"version":1,"day":"2026-02-30","used":1}"#, "`2026-02-30` is no day"),
        (r#"{"version":1,"day":"2026-11-30","used":-1}"#, "invalid value: integer `-1`"),
        (r#"{"version":1,"day":"2026-11-30","used":1e9}"#, "invalid type: floating point"),
        (r#"{"version":1,"day":"2026-11-30","used":1,"more":2}"#, "unknown field `more`"),
        (r#"{"version":1,"day":"2026-11-30","used":1,"used":0}"#, "duplicate field `used`"),
        (r#"{"version":1,"day":"2026-11-30","used":1}{}"#, "trailing characters"),
    ];
    for (text, expected) in cases {
        match Account::parse(text.as_bytes()) {
            Err(Unreadable::Corrupt(problem)) => {
                assert!(problem.contains(expected), "{text}: {problem}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let newer = r#"{"version":2,"used":{"2026-11-30":1}}"#;
    assert_eq!(Account::parse(newer.as_bytes()), Err(Unreadable::Newer(2)));
}

proptest! {
    #[test]
    fn an_account_is_read_as_it_was_written(days in 0..40_000_u64, used in any::<u64>()) {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(days * 86_400);
        let account = Account { day: Day::of(time), used };
        prop_assert_eq!(Account::parse(account.to_json().unwrap().as_bytes()), Ok(account));
    }

    /// In any order, each charge settled once: what is used is what was taken.
    #[test]
    fn settled_charges_add_up(
        charges in prop::collection::vec((0..1000_u64, 0..1000_u64), 0..40).prop_shuffle(),
    ) {
        let mut account = used(0);
        let receipts: Vec<_> = charges
            .iter()
            .map(|(expected, actual)| (granted(account.charge(*expected, u64::MAX)), *actual))
            .collect();
        prop_assert_eq!(account.used, charges.iter().map(|(expected, _)| expected).sum::<u64>());
        for (receipt, actual) in receipts.into_iter().rev() {
            account.settle(&receipt, actual);
        }
        prop_assert_eq!(account.used, charges.iter().map(|(_, actual)| actual).sum::<u64>());
    }
}
