//! Why a budget cannot be kept.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::day::Day;

/// Why a [`DailyBudget`](crate::DailyBudget) cannot be kept. No request is made that could not be
/// counted.
///
/// The message names the file and says how to mend it. It is cloned for every run that waits.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum BudgetError {
    /// The file system refused.
    #[error("cannot {action} the budget file `{}`: {cause}; {ACCESS}", file.display())]
    #[non_exhaustive]
    Access {
        /// What was tried: `read`, `lock` or `write`.
        action: &'static str,
        /// The budget file.
        file: PathBuf,
        /// Its reason.
        cause: Arc<io::Error>,
    },
    /// The file holds something else than a count.
    #[error("the budget file `{}` is corrupt: {problem}; {MEND}", file.display())]
    #[non_exhaustive]
    Corrupt {
        /// The budget file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A newer version of this library wrote the file.
    #[error(
        "the budget file `{}` has version {version}, which is newer than this program knows; \
         update the program, or give it a file of its own",
        file.display()
    )]
    #[non_exhaustive]
    Newer {
        /// The budget file.
        file: PathBuf,
        /// The version it was written in.
        version: u64,
    },
    /// Another process kept the lock for too long.
    #[error(
        "the budget file `{}` has been locked by another process for {}; end that process, or try again",
        file.display(),
        humantime::format_duration(*waited)
    )]
    #[non_exhaustive]
    Locked {
        /// The budget file.
        file: PathBuf,
        /// How long the lock was waited for.
        waited: Duration,
    },
    /// The file is of a day further ahead than clocks that go wrong by a little could explain.
    #[error(
        "the budget file `{}` is of {day}, but today is {today}; set the clock right, or, if it was \
         wrong before, remove the file to begin today anew",
        file.display()
    )]
    #[non_exhaustive]
    Ahead {
        /// The budget file.
        file: PathBuf,
        /// The day of the file.
        day: String,
        /// The day by the clock.
        today: String,
    },
}

const ACCESS: &str = "name a file in a folder where this process may read and write";
const MEND: &str =
    "repair it, or remove it to begin the day anew, with nothing counted as used so far";

impl BudgetError {
    pub(super) fn access(action: &'static str, file: &Path, cause: io::Error) -> Self {
        Self::Access { action, file: file.to_owned(), cause: Arc::new(cause) }
    }

    pub(super) fn corrupt(file: &Path, problem: String) -> Self {
        Self::Corrupt { file: file.to_owned(), problem }
    }

    pub(super) fn newer(file: &Path, version: u64) -> Self {
        Self::Newer { file: file.to_owned(), version }
    }

    pub(super) fn locked(file: &Path, waited: Duration) -> Self {
        Self::Locked { file: file.to_owned(), waited }
    }

    pub(super) fn ahead(file: &Path, day: Day, today: Day) -> Self {
        Self::Ahead { file: file.to_owned(), day: day.to_string(), today: today.to_string() }
    }
}
