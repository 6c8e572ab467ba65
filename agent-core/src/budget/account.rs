//! What is counted and what is granted: no file and no clock.

use serde::{Deserialize, Serialize};

use super::DailyUsage;
use super::day::Day;

/// The version of the file.
const VERSION: u64 = 1;

/// More than an account takes, also one with the white space of an editor.
pub(super) const MAX_BYTES: usize = 4096;

/// The tokens used on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) day: Day,
    pub(super) used: u64,
}

/// What a charge comes to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Charge {
    /// The request may be made.
    Granted(Receipt),
    /// No token of the day is left, and none was taken.
    UsedUp(DailyUsage),
}

/// Tokens that were taken, to be settled once.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Receipt {
    day: Day,
    tokens: u64,
}

/// Why text is no account.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    Corrupt(String),
    Newer(u64),
}

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Self {
        Self::Corrupt(error.to_string())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    version: u64,
    day: Day,
    used: u64,
}

/// What each version has; other fields may be those of a later one.
#[derive(Deserialize)]
struct Version {
    version: u64,
}

impl Account {
    pub(super) fn new(day: Day) -> Self {
        Self { day, used: 0 }
    }

    pub(super) fn parse(text: &[u8]) -> Result<Self, Unreadable> {
        let corrupt = |problem: &str| Err(Unreadable::Corrupt(problem.to_owned()));
        match text.len() {
            0 => return corrupt("it is empty"),
            1..=MAX_BYTES => {}
            _ => return corrupt("it is too long"),
        }
        match serde_json::from_slice(text)? {
            Version { version: 0 } => corrupt("there is no version 0"),
            Version { version: VERSION } => {
                let Form { day, used, .. } = serde_json::from_slice(text)?;
                Ok(Self { day, used })
            }
            Version { version } => Err(Unreadable::Newer(version)),
        }
    }

    /// # Errors
    ///
    /// None that can happen: the form holds numbers and text alone.
    pub(super) fn to_json(self) -> serde_json::Result<String> {
        let Self { day, used } = self;
        serde_json::to_string(&Form { version: VERSION, day, used }).map(|json| json + "\n")
    }

    /// The account to count in when it is `today`, unless this one is too far ahead.
    ///
    /// One day ahead, the clock was set back a little or is behind that of another machine: an
    /// account of today would grant the same day twice. Further ahead, one wrong clock would
    /// otherwise hold the budget at its count for months, and a person has to look.
    pub(super) fn on(self, today: Day) -> Option<Self> {
        if self.day < today {
            Some(Self::new(today))
        } else {
            (self.day <= today.next()).then_some(self)
        }
    }

    /// Takes `expected` tokens, if any of `limit` is left.
    pub(super) fn charge(&mut self, expected: u64, limit: u64) -> Charge {
        if self.used >= limit {
            return Charge::UsedUp(self.usage(limit));
        }
        self.used = self.used.saturating_add(expected);
        Charge::Granted(Receipt { day: self.day, tokens: expected })
    }

    /// Puts a charge right, and says how it then stands. If the day has changed, what was charged
    /// is of the day before, and only what is more is taken from this one.
    pub(super) fn settle(&mut self, receipt: &Receipt, actual: u64) -> Receipt {
        let more = actual.saturating_sub(receipt.tokens);
        let less = receipt.tokens.saturating_sub(actual);
        self.used = self.used.saturating_add(more);
        if receipt.day == self.day {
            self.used = self.used.saturating_sub(less);
        }
        Receipt { day: self.day, tokens: actual }
    }

    pub(super) fn usage(self, limit: u64) -> DailyUsage {
        DailyUsage { day: self.day.to_string(), used: self.used, limit }
    }
}
