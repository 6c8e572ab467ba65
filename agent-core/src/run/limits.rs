//! Limits of a run, as data.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::budget::DailyBudget;
use crate::cost::Cost;
#[cfg(feature = "toml")]
use crate::toml_text::{self, Misfit};

/// What a run may use. A field that a file leaves out has its default; times are written like
/// `"90s"` or `"2m 30s"`.
///
/// ```
/// use agent_core::Limits;
///
/// let limits: Limits = serde_json::from_str(r#"{ "max_steps": 20, "tool_timeout": "5s" }"#)?;
/// assert_eq!(limits.max_steps, 20);
/// assert_eq!(limits.max_result_chars, 3000);
/// let same = Limits { max_steps: 20, tool_timeout: std::time::Duration::from_secs(5), ..Limits::default() };
/// assert_eq!(limits, same);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Model requests; at least 1. Default 8.
    pub max_steps: u32,
    /// Tool calls that are run; those of one step beyond it are answered `error(cancelled)`, and the
    /// run stops. Default 128.
    pub max_tool_calls: u32,
    /// Tokens of the run, those of its requests and replies added up, as the provider counts them.
    /// No request is made once so many are used, so that a run is over by one request at most; calls
    /// that are pending then are answered `error(cancelled)`. Default: none.
    pub token_budget: Option<u64>,
    /// What the run may cost, in US dollars, where the model [has prices](crate::Model::prices); an
    /// agent whose model has none is refused. Held like the budget of tokens. Default: none.
    pub cost_budget: Option<Cost>,
    /// Tokens a day, shared by all runs and processes that name one file. Default: none.
    pub daily_budget: Option<DailyBudget>,
    /// Time for the whole run while it is driven. Default: none.
    #[serde(with = "time::optional")]
    pub deadline: Option<Duration>,
    /// Time for one tool call, where the tool sets none of its own. Default one minute.
    #[serde(with = "time")]
    pub tool_timeout: Duration,
    /// Characters of one tool result; what is longer is cut. Default 3,000.
    pub max_result_chars: usize,
    /// Tool calls that run at one time; at least 1. Default 8.
    pub max_parallel: usize,
    /// Of this many calls in a row with the same name, arguments and result, the last is not run
    /// but answered `error(repeated)`; one more stops the run. Two calls made in turn count likewise.
    /// At least 2, or 0 for no such limit. Default 3.
    pub repeat_limit: u32,
    /// Steps in a row whose calls all failed; so many stop the run. 0 for no such limit. Default 8.
    pub failing_limit: u32,
    /// Answers that do not fit the type [asked for](crate::Agent::run_as) and go back to the model;
    /// one more stops the run. Default 2.
    pub answer_retries: u32,
    /// Whether a run that has used up its steps makes one more request, without tools, for an
    /// answer from what is known. It still stops with `max_steps`. Default no.
    pub wrap_up: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: 8,
            max_tool_calls: 128,
            token_budget: None,
            cost_budget: None,
            daily_budget: None,
            deadline: None,
            tool_timeout: Duration::from_secs(60),
            max_result_chars: 3000,
            max_parallel: 8,
            repeat_limit: 3,
            failing_limit: 8,
            answer_retries: 2,
            wrap_up: false,
        }
    }
}

/// Limits under which no run could do anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the limit {name} cannot be {value}; {advice}")]
pub struct InvalidLimits {
    name: &'static str,
    value: u32,
    advice: &'static str,
}

/// A text is no [`Limits`].
#[cfg(feature = "toml")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct LimitsError(#[from] Problem);

#[cfg(feature = "toml")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Problem {
    #[error("no limits: {0}")]
    Text(Misfit),
    #[error(transparent)]
    Limits(InvalidLimits),
}

impl Limits {
    /// Reads limits from TOML, a line for each that is not to have its default.
    ///
    /// ```
    /// use agent_core::Limits;
    ///
    /// let limits = Limits::from_toml("max_steps = 20\ntoken_budget = 50_000\ndeadline = '2m 30s'")?;
    /// assert_eq!((limits.max_steps, limits.token_budget), (20, Some(50_000)));
    ///
    /// let error = Limits::from_toml("max_step = 20").unwrap_err().to_string();
    /// assert!(error.starts_with("no limits: line 1: there is no field `max_step`, did you mean `max_steps`?"));
    /// # Ok::<_, agent_core::run::LimitsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not TOML, has a field that limits do not have, or a limit is below its least
    /// value.
    #[cfg(feature = "toml")]
    pub fn from_toml(text: &str) -> Result<Self, LimitsError> {
        let limits: Self = toml_text::read(text).map_err(Problem::Text)?;
        limits.check().map_err(Problem::Limits)?;
        Ok(limits)
    }

    /// Checks that a run can do anything at all.
    ///
    /// # Errors
    ///
    /// A limit is below its least value.
    pub fn check(&self) -> Result<(), InvalidLimits> {
        let none = Duration::ZERO;
        let refused = [
            ("max_steps", self.max_steps == 0, 0, "it is at least 1"),
            ("max_parallel", self.max_parallel == 0, 0, "it is at least 1"),
            ("max_result_chars", self.max_result_chars == 0, 0, "it is at least 1"),
            (
                "token_budget",
                self.token_budget == Some(0),
                0,
                "no request could be made; leave it out for none",
            ),
            (
                "cost_budget",
                self.cost_budget == Some(Cost::default()),
                0,
                "no request could be made; leave it out for none",
            ),
            (
                "daily_budget",
                self.daily_budget.as_ref().is_some_and(|budget| budget.tokens == 0),
                0,
                "no request could be made; leave it out for none",
            ),
            ("tool_timeout", self.tool_timeout == none, 0, "no tool could run"),
            (
                "deadline",
                self.deadline == Some(none),
                0,
                "no run could begin; leave it out for none",
            ),
            ("repeat_limit", self.repeat_limit == 1, 1, "it is at least 2, or 0 for no such limit"),
        ];
        match refused.into_iter().find(|(_, refused, ..)| *refused) {
            Some((name, _, value, advice)) => Err(InvalidLimits { name, value, advice }),
            None => Ok(()),
        }
    }
}

/// Times as text.
mod time {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(
        time: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&humantime::format_duration(*time))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        let text = String::deserialize(deserializer)?;
        let advice = |error| {
            D::Error::custom(format_args!("`{text}` is no time ({error}); write one like \"90s\""))
        };
        humantime::parse_duration(&text).map_err(advice)
    }

    pub(super) mod optional {
        use super::{Deserialize, Deserializer, Duration, Serializer};

        #[expect(clippy::ref_option, reason = "serde asks for this signature")]
        pub(in super::super) fn serialize<S: Serializer>(
            time: &Option<Duration>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match time {
                Some(time) => super::serialize(time, serializer),
                None => serializer.serialize_none(),
            }
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Duration>, D::Error> {
            #[derive(Deserialize)]
            struct Time(#[serde(with = "super")] Duration);

            Ok(Option::<Time>::deserialize(deserializer)?.map(|Time(time)| time))
        }
    }
}
