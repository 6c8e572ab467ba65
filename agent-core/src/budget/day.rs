//! Days of the calendar, in UTC.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

const SECONDS: u64 = 24 * 60 * 60;

/// A day in UTC, counted from 1970-01-01 and written like `2026-11-30`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Day(u64);

impl Day {
    /// 9999-12-31: a later day could not be written.
    const LAST: u64 = 2_932_896;

    pub(super) fn today() -> Self {
        Self::of(SystemTime::now())
    }

    /// The day of a time; times before the first day belong to it.
    pub(super) fn of(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self((since.as_secs() / SECONDS).min(Self::LAST))
    }

    pub(super) fn next(self) -> Self {
        Self((self.0 + 1).min(Self::LAST))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let midnight = UNIX_EPOCH + Duration::from_secs(self.0 * SECONDS);
        let text = humantime::format_rfc3339_seconds(midnight).to_string();
        f.write_str(text.split('T').next().unwrap_or_default())
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.to_string()
    }
}

impl TryFrom<String> for Day {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        humantime::parse_rfc3339(&format!("{text}T00:00:00Z"))
            .map(Self::of)
            .map_err(|_| format!("`{text}` is no day; write one like \"2026-11-30\""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn days_are_written_as_they_are_read_and_stand_in_order() {
        let days = ["1970-01-01", "1999-12-31", "2000-02-29", "2026-11-30", "9999-12-31"];
        for text in days {
            assert_eq!(day(text).to_string(), text);
        }
        assert!(days.is_sorted_by_key(|text| day(text)));
        assert_eq!(day("2028-02-28").next(), day("2028-02-29"));
        assert_eq!(day("2026-12-31").next(), day("2027-01-01"));
        assert_eq!(day("9999-12-31").next(), day("9999-12-31"));
    }

    #[test]
    fn times_that_cannot_be_written_belong_to_the_nearest_day_that_can() {
        let before = UNIX_EPOCH.checked_sub(Duration::from_secs(1)).unwrap();
        assert_eq!(Day::of(before), day("1970-01-01"));
        let after = UNIX_EPOCH.checked_add(Duration::from_secs(SECONDS * (Day::LAST + 1))).unwrap();
        assert_eq!(Day::of(after), day("9999-12-31"));
    }

    #[test]
    fn what_is_no_day_is_refused() {
        let wrong =
            ["", "2026-02-30", "2026-13-01", "2026-1-1", "1969-12-31", "2026-11-30T", "２０26-1-1"];
        for text in wrong {
            assert!(Day::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
