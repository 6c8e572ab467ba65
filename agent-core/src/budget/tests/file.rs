use std::fs;
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;

use super::super::account::{Account, Charge};
use super::super::error::BudgetError;
use super::super::file::BudgetFile;
use super::{Place, day, text, today};

/// Takes ten tokens.
fn charge(path: &Path) -> Result<Charge, BudgetError> {
    BudgetFile::new(path).update(today(), |account| account.charge(10, 1000))
}

fn error(path: &Path) -> String {
    charge(path).unwrap_err().to_string()
}

#[test]
fn a_missing_file_is_a_new_budget_and_is_made_by_the_first_charge() {
    let place = Place::new();
    assert_eq!(BudgetFile::new(&place.file).read(today()).unwrap(), Account::new(today()));
    assert!(place.names().is_empty());
    charge(&place.file).unwrap();
    assert_eq!(place.text(), text(10));
    assert_eq!(place.names(), ["budget.json", "budget.json.lock"]);
}

#[test]
fn nothing_is_written_where_nothing_changes() {
    let place = Place::with(&text(1000).replace(',', ", "));
    let before = place.text();
    assert!(matches!(charge(&place.file), Ok(Charge::UsedUp(_))));
    assert_eq!(place.text(), before);
}

#[test]
fn a_new_day_begins_anew() {
    let place = Place::with(r#"{"version":1,"day":"2026-11-29","used":1000}"#);
    charge(&place.file).unwrap();
    assert_eq!(place.text(), text(10));
}

#[test]
fn a_clock_that_is_set_back_never_begins_anew() {
    let place = Place::with(r#"{"version":1,"day":"2026-12-01","used":990}"#);
    charge(&place.file).unwrap();
    assert_eq!(place.text(), "{\"version\":1,\"day\":\"2026-12-01\",\"used\":1000}\n");
    assert!(matches!(charge(&place.file), Ok(Charge::UsedUp(_))));

    let place = Place::with(r#"{"version":1,"day":"2026-12-02","used":0}"#);
    let before = place.text();
    assert!(error(&place.file).contains(
        "is of 2026-12-02, but today is 2026-11-30; set the clock right, or, if it was wrong \
         before, remove the file"
    ));
    assert_eq!(place.text(), before);
}

#[test]
fn a_corrupt_file_is_an_error_that_names_it_and_stays_as_it_is() {
    for (text, problem) in [("", "it is empty"), ("{\"version\":1,", "EOF while parsing")] {
        let place = Place::with(text);
        let error = error(&place.file);
        assert!(error.starts_with(&format!("the budget file `{}`", place.file.display())));
        assert!(error.contains(problem), "{error}");
        assert!(error.contains("; repair it, or remove it to begin the day anew"), "{error}");
        assert_eq!(place.text(), text);
        assert!(place.budget(5).usage().is_err());
    }
    let place = Place::with(r#"{"version":7}"#);
    assert!(error(&place.file).contains("has version 7, which is newer than this program knows"));
}

#[test]
fn a_place_where_no_file_can_be_is_an_error() {
    let place = Place::new();
    fs::create_dir(&place.file).unwrap();
    assert!(error(&place.file).contains("it is not a regular file; name a file in a folder"));
    assert_eq!(place.names(), ["budget.json"]);

    let nowhere = place.folder.path().join("nowhere/budget.json");
    assert!(error(&nowhere).starts_with("cannot lock the budget file `"));
    assert!(error(Path::new("")).starts_with("cannot read the budget file ``"));
    assert!(error(Path::new("/")).contains("it is not a regular file"));
}

#[test]
fn a_file_that_is_marked_read_only_is_not_replaced() {
    let place = Place::with(&text(5));
    let mut permissions = fs::metadata(&place.file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&place.file, permissions).unwrap();
    let error = error(&place.file);
    assert!(error.contains("it is read-only") || error.contains("denied"), "{error}");
    assert_eq!(place.used(), 5);
    assert_eq!(place.names(), ["budget.json", "budget.json.lock"]);
}

#[test]
fn what_a_killed_process_left_is_written_over() {
    let place = Place::with(&text(5));
    fs::write(place.folder.path().join("budget.json.new"), "{\"version\":").unwrap();
    fs::write(place.folder.path().join("budget.json.lock"), "").unwrap();
    charge(&place.file).unwrap();
    assert_eq!(place.used(), 15);
    assert_eq!(place.names(), ["budget.json", "budget.json.lock"]);
}

#[test]
fn a_lock_that_another_keeps_is_an_error_after_a_while() {
    let place = Place::with(&text(5));
    let other = File::create(place.folder.path().join("budget.json.lock")).unwrap();
    other.lock().unwrap();
    let file = BudgetFile::new(&place.file).with_patience(Duration::from_millis(30));
    let error = file.update(today(), |account| account.charge(10, 1000)).unwrap_err();
    assert!(matches!(error, BudgetError::Locked { .. }));
    assert!(error.to_string().contains("has been locked by another process for 30ms; end that"));
    // Reading waits for no one.
    assert_eq!(file.read(today()).unwrap().used, 5);

    drop(other);
    charge(&place.file).unwrap();
    assert_eq!(place.used(), 15);
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_stays_a_link() {
    use std::os::unix::fs::symlink;

    let place = Place::new();
    fs::create_dir(place.folder.path().join("elsewhere")).unwrap();
    symlink("elsewhere/real.json", &place.file).unwrap();
    // The first charge goes through a link to nothing yet.
    charge(&place.file).unwrap();
    charge(&place.file).unwrap();
    assert!(place.file.is_symlink());
    assert_eq!(place.used(), 20);
    assert_eq!(place.names(), ["budget.json", "elsewhere"]);

    let circle = place.folder.path().join("circle");
    symlink(&circle, &circle).unwrap();
    assert!(error(&circle).starts_with("cannot read the budget file"));
}

#[cfg(unix)]
#[test]
fn the_permissions_of_the_file_are_kept() {
    use std::os::unix::fs::PermissionsExt;

    let place = Place::with(&text(5));
    fs::set_permissions(&place.file, fs::Permissions::from_mode(0o660)).unwrap();
    charge(&place.file).unwrap();
    assert_eq!(fs::metadata(&place.file).unwrap().permissions().mode() & 0o777, 0o660);
}

#[test]
fn usage_is_told_of_the_day_by_the_clock() {
    let place = Place::with(&text(5).replace(&today().to_string(), &day("2001-01-01").to_string()));
    let usage = place.budget(70).usage().unwrap();
    assert_eq!((usage.used, usage.limit), (0, 70));
}

/// What may happen to a file.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let whole = text(123).into_bytes();
    let (length, other) = (whole.len(), whole.clone());
    prop_oneof![
        (0..length).prop_map(move |end| whole[..end].to_vec()),
        (0..length, any::<u8>()).prop_map(move |(at, byte)| {
            let mut bytes = other.clone();
            bytes[at] = byte;
            bytes
        }),
        prop::collection::vec(any::<u8>(), 0..100),
        "[\\[\\]{}:,\"0-9a-z -]{0,60}".prop_map(String::into_bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_damaged_file_is_an_error_or_counts_as_what_it_says(bytes in damaged()) {
        let place = Place::new();
        fs::write(&place.file, &bytes).unwrap();
        match charge(&place.file) {
            Err(_) => prop_assert_eq!(fs::read(&place.file).unwrap(), bytes),
            Ok(charge) => {
                let account = Account::parse(&bytes).unwrap().on(today()).unwrap();
                let mut expected = account;
                prop_assert_eq!(charge, expected.charge(10, 1000));
                if expected != account {
                    prop_assert_eq!(place.text(), expected.to_json().unwrap());
                }
            }
        }
    }
}
