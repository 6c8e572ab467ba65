mod account;
mod file;
mod ledger;
mod processes;

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::DailyBudget;
use super::account::Account;
use super::day::Day;

fn day(text: &str) -> Day {
    Day::try_from(text.to_owned()).unwrap()
}

pub(super) fn today() -> Day {
    day("2026-11-30")
}

/// The text of a file with so many tokens used today.
fn text(used: u64) -> String {
    Account { day: today(), used }.to_json().unwrap()
}

/// A folder of its own with the budget file in it, which is not there yet.
pub(super) struct Place {
    folder: TempDir,
    pub(super) file: PathBuf,
}

impl Place {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("budget.json");
        Self { folder, file }
    }

    fn with(text: &str) -> Self {
        let place = Self::new();
        fs::write(&place.file, text).unwrap();
        place
    }

    pub(super) fn budget(&self, tokens: u64) -> DailyBudget {
        DailyBudget { tokens, file: self.file.clone() }
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.file).unwrap()
    }

    pub(super) fn used(&self) -> u64 {
        Account::parse(self.text().as_bytes()).unwrap().used
    }

    /// The names in the folder.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}
