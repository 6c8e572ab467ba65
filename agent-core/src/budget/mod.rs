//! A budget of tokens per day, kept in a file that runs and processes share.
//!
//! `account` says what is counted and what is granted, and `file` keeps it. A `ledger` is what runs
//! ask; behind it, a `queue` puts what concurrent runs ask into one write.

mod account;
mod day;
mod error;
mod file;
mod ledger;
mod queue;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub(crate) use account::{Charge, Receipt};
use day::Day;
pub use error::BudgetError;
use file::BudgetFile;
pub(crate) use ledger::Ledger;

/// Tokens that all runs together may use on one day, in UTC.
///
/// What is used is counted in a file, which runs and processes on one machine share. Before each
/// request a run takes the tokens it expects to need, and afterwards what the reply really took is
/// put right. A request is made as long as any token of the day is left, so each run that is under
/// way goes over by one request at most. What a request took that failed, or that its run or its
/// process did not live to see answered, stays taken.
///
/// The file holds `{"version":1,"day":"2026-11-30","used":12345}`. It is replaced as a whole, so a
/// crash leaves the old count or the new one. A missing file is a new budget; one that cannot be read
/// is an error, and never a new beginning. Beside it stand a `.lock`, which is locked while the count
/// changes, and for moments a `.new`. The `.lock` stays; do not remove it while runs are under way.
///
/// If the clock is set back to the day before the file's, the count goes on, so that no token is
/// granted twice. If it is further back, the clock was or is wrong, and that is an error.
///
/// ```
/// use agent_core::DailyBudget;
///
/// # let folder = tempfile::tempdir()?;
/// let file = folder.path().join("budget.json");
/// let budget = DailyBudget { tokens: 200_000, file: file.clone() };
/// assert_eq!(budget.usage()?.used, 0);
///
/// std::fs::write(&file, r#"{"version": 1"#)?;
/// let error = budget.usage().unwrap_err();
/// assert!(error.to_string().contains("repair it, or remove it"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DailyBudget {
    /// Tokens a day, those of requests and of replies.
    pub tokens: u64,
    /// Where they are counted. Its folder must exist, and be on a file system with locks. A relative
    /// path is one of the folder the process is in when the agent is built.
    pub file: PathBuf,
}

impl DailyBudget {
    /// What is used today. Waits for no lock and changes nothing.
    ///
    /// # Errors
    ///
    /// The file is there but cannot be read, or is of a later day.
    pub fn usage(&self) -> Result<DailyUsage, BudgetError> {
        let account = BudgetFile::new(&self.file).read(Day::today())?;
        Ok(account.usage(self.tokens))
    }
}

/// What is used of a [`DailyBudget`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DailyUsage {
    /// The day in UTC, like `2026-11-30`.
    pub day: String,
    /// The tokens used; may be more than the limit.
    pub used: u64,
    /// The tokens of one day.
    pub limit: u64,
}

impl fmt::Display for DailyUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { day, used, limit } = self;
        write!(f, "{used} of {limit} tokens used on {day} (UTC)")
    }
}
