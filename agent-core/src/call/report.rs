//! What a failed call tells the model: `error(KIND): what was wrong; what to do next`.

use std::fmt::Display;
use std::time::Duration;

use serde::Serialize;

use super::cut;
use super::fit::Problem;
use crate::message::Arguments;
use crate::run::Circle;

/// In characters.
const LONGEST: usize = 3000;

/// The kinds of failed tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// The tool is not in the toolbox.
    UnknownTool,
    /// The arguments are no JSON, or were cut off.
    InvalidJson,
    /// The arguments do not fit the tool's parameters.
    InvalidArguments,
    /// The tool returned an error.
    Failed,
    /// The tool panicked.
    Panicked,
    /// The tool took longer than it may.
    TimedOut,
    /// The call needs approval and was not allowed.
    Denied,
    /// The run ended while the call was pending.
    Cancelled,
    /// The same call, with the same result, too many times in a row.
    Repeated,
}

impl ErrorKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::UnknownTool,
        Self::InvalidJson,
        Self::InvalidArguments,
        Self::Failed,
        Self::Panicked,
        Self::TimedOut,
        Self::Denied,
        Self::Cancelled,
        Self::Repeated,
    ];

    /// The kind as the model reads it, such as `invalid_json`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::InvalidJson => "invalid_json",
            Self::InvalidArguments => "invalid_arguments",
            Self::Failed => "failed",
            Self::Panicked => "panicked",
            Self::TimedOut => "timed_out",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::Repeated => "repeated",
        }
    }

    /// The kind that the text of a tool result names, if it is one of an error.
    #[must_use]
    pub fn of(content: &str) -> Option<Self> {
        let (kind, _) = content.strip_prefix("error(")?.split_once("):")?;
        Self::ALL.into_iter().find(|known| known.as_str() == kind)
    }
}

impl Display for ErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A failure, worded for the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Report {
    pub(crate) kind: ErrorKind,
    pub(crate) text: String,
}

impl Report {
    fn new(kind: ErrorKind, what: impl Display) -> Self {
        // Names and arguments, which a model chooses, may be of any length.
        let text = cut(&format!("error({kind}): {what}"), LONGEST).into_owned();
        Self { kind, text }
    }
}

/// `known` lists the names of the toolbox, nearest first.
pub(crate) fn unknown_tool(name: &str, known: &[&str]) -> Report {
    let advice = if known.is_empty() {
        "there are no tools now; answer in text".to_owned()
    } else {
        format!("call one of: {}", known.join(", "))
    };
    Report::new(ErrorKind::UnknownTool, format_args!("there is no tool `{name}`; {advice}"))
}

pub(crate) fn invalid_json(error: &serde_json::Error) -> Report {
    Report::new(
        ErrorKind::InvalidJson,
        format_args!(
            "the arguments are not valid JSON: {error}; call again with one complete JSON object"
        ),
    )
}

pub(crate) fn not_an_object(found: &str) -> Report {
    Report::new(
        ErrorKind::InvalidArguments,
        format_args!(
            "the arguments are {found}; call again with one JSON object of named parameters"
        ),
    )
}

pub(crate) fn cut_off() -> Report {
    Report::new(
        ErrorKind::InvalidJson,
        "the reply was cut off before it was complete (output limit or filter), so the arguments may be \
         incomplete and the tool was not run; call again, with shorter arguments",
    )
}

/// `accepted` lists the parameters of the tool.
pub(crate) fn invalid_arguments(problems: &[Problem], accepted: &[&str]) -> Report {
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let advice = if accepted.is_empty() {
        "call again without arguments".to_owned()
    } else {
        format!("call again with these corrected (parameters: {})", accepted.join(", "))
    };
    Report::new(ErrorKind::InvalidArguments, format_args!("{}; {advice}", problems.join("; ")))
}

/// What the model is told of a reply that is not the answer that is wanted: one with these `fields`,
/// given by calling `tool` or else as text.
pub(crate) fn unfit(problems: &[Problem], fields: &[String], tool: Option<&str>) -> String {
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let (problems, fields) = (problems.join("; "), fields.join(", "));
    let advice = match tool {
        Some(tool) => format!("give it by calling `{tool}` (parameters: {fields})"),
        None => format!("answer again with one JSON object and nothing else (fields: {fields})"),
    };
    cut(&format!("The answer does not fit: {problems}; {advice}"), LONGEST).into_owned()
}

pub(crate) fn failed(message: impl Display) -> Report {
    Report::new(ErrorKind::Failed, message)
}

pub(crate) fn panicked(tool: &str, message: &str) -> Report {
    Report::new(
        ErrorKind::Panicked,
        format_args!(
            "{tool} stopped on a fault of its own: {message}; try other arguments, or go on without it"
        ),
    )
}

pub(crate) fn timed_out(tool: &str, limit: Duration) -> Report {
    Report::new(
        ErrorKind::TimedOut,
        format_args!(
            "{tool} did not finish within {limit:?}; ask it for less, or go on without it"
        ),
    )
}

pub(crate) fn denied(reason: &str) -> Report {
    Report::new(
        ErrorKind::Denied,
        format_args!("the call was not allowed: {reason}; go on without it, or ask the user"),
    )
}

pub(crate) fn cancelled(why: &str) -> Report {
    Report::new(ErrorKind::Cancelled, format_args!("{why}; call again if it is still needed"))
}

pub(crate) fn repeated(Circle { calls, times }: Circle) -> Report {
    let what = match calls {
        1 => format!("this same call has been made {times} times in a row"),
        _ => format!("this call and the one before it have been made {times} times in turn"),
    };
    Report::new(
        ErrorKind::Repeated,
        format_args!(
            "{what} and was not run again; use its result above, change the arguments, or answer"
        ),
    )
}

/// A result of a call that was run with other arguments than the model's.
pub(crate) fn changed(arguments: &Arguments, content: &str) -> String {
    let arguments = cut(&arguments.to_string(), LONGEST).into_owned();
    format!("[run with other arguments, chosen by who approved it: {arguments}]\n{content}")
}
