//! When a request is sent again.

use std::time::{Duration, SystemTime};

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use reqwest::header::{HeaderMap, RETRY_AFTER};

use crate::model::ModelError;

/// How often a request that failed in a way that may pass is sent again, and how soon: after a time
/// that doubles, with some chance in it, or after the time the server asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// Requests after the first; 3.
    pub max: usize,
    /// The wait before the second request; half a second.
    pub first_wait: Duration,
    /// The longest wait; 60 seconds. A server that asks for a longer one is not asked again.
    pub longest_wait: Duration,
    /// Whether to ask again although a piece of the failed reply was shown, which is then shown
    /// twice; not so unless set.
    pub after_text: bool,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            max: 3,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
            after_text: false,
        }
    }
}

impl Retries {
    /// No request is sent twice.
    #[must_use]
    pub fn none() -> Self {
        Self { max: 0, ..Self::default() }
    }

    pub(super) fn waits(&self) -> Waits {
        let backoff = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(self.first_wait)
            .with_max_delay(self.longest_wait)
            .with_max_times(self.max)
            .build();
        Waits { backoff, longest: self.longest_wait }
    }
}

/// The waits between the requests for one reply.
pub(super) struct Waits {
    backoff: ExponentialBackoff,
    longest: Duration,
}

impl Waits {
    /// How long to wait after `error`, if the request is to be sent again.
    pub(super) fn after(&mut self, error: &ModelError) -> Option<Duration> {
        if !error.is_retryable() {
            return None;
        }
        let backoff = self.backoff.next()?;
        match error.retry_after() {
            Some(asked) => Some(asked).filter(|asked| *asked <= self.longest),
            None => Some(backoff.min(self.longest)),
        }
    }
}

/// The time a server asks to wait: seconds, which may have a fraction, or a date. A date that has
/// passed asks for no wait; what is neither asks for nothing.
pub(super) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};

    use super::{Retries, retry_after};
    use crate::model::ModelError;

    fn asked(value: &str) -> Option<Duration> {
        let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_str(value).unwrap())]);
        retry_after(&headers, SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_775))
    }

    #[test]
    fn retry_after_is_read_in_seconds_fractions_and_dates() {
        assert_eq!(asked("1"), Some(Duration::from_secs(1)));
        assert_eq!(asked("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(asked("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::from_secs(2)));
        assert_eq!(asked("Tue, 06 Nov 1984 08:49:37 GMT"), Some(Duration::ZERO));
        assert_eq!(asked("999999"), Some(Duration::from_secs(999_999)));
        for nonsense in ["banana", "-1", "NaN", "inf", ""] {
            assert_eq!(asked(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn waits_are_bounded_in_number_and_length_and_follow_the_server() {
        let retries =
            Retries { max: 2, longest_wait: Duration::from_secs(3), ..Retries::default() };
        let error = |after| ModelError::new("busy").retryable(after);
        let mut waits = retries.waits();
        let asked = Duration::from_secs(2);
        assert_eq!(waits.after(&error(Some(asked))), Some(asked));
        let own = waits.after(&error(None)).unwrap();
        assert!(own >= retries.first_wait && own <= retries.longest_wait, "{own:?}");
        assert_eq!(waits.after(&error(None)), None);
        let too_long = Some(Duration::from_secs(4));
        assert_eq!(retries.waits().after(&error(too_long)), None);
        assert_eq!(retries.waits().after(&ModelError::new("no")), None);
        assert_eq!(Retries::none().waits().after(&error(None)), None);
    }
}
