//! What went wrong, in words.

use std::error::Error;
use std::time::{Duration, SystemTime};

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LOCATION};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::retry::retry_after;
use super::surrogates;
use crate::model::{ModelError, ModelErrorKind};

/// An error that a server reported in a body: `{"error": {..}}`, `{"error": ".."}`, a list of them,
/// `{"object": "error", ..}`, `{"type": "error", ..}`.
pub(crate) struct Reported {
    message: String,
    status: Option<StatusCode>,
    /// What the server calls it, in its `type` and `code`.
    class: String,
}

/// The error that `body` reports, if it reports one.
pub(crate) fn reported(body: &Value) -> Option<Reported> {
    let body = body.as_array().and_then(|list| list.first()).unwrap_or(body);
    let error = match body.get("error").filter(|error| !is_falsy(error)) {
        None => {
            let says_so = |key| body.get(key).and_then(Value::as_str) == Some("error");
            Some(body).filter(|_| says_so("object") || says_so("type"))?
        }
        Some(error) => error,
    };
    Some(Reported::read(error))
}

/// What stands beside a good reply where others report an error.
fn is_falsy(error: &Value) -> bool {
    match error {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(true) | Value::Array(_) => false,
    }
}

impl Reported {
    fn read(error: &Value) -> Self {
        let text = |key| error.get(key).and_then(Value::as_str);
        let code = error.get("code");
        let number = code.and_then(Value::as_u64).or_else(|| code?.as_str()?.parse().ok());
        let status = number.and_then(|code| StatusCode::from_u16(code.try_into().ok()?).ok());
        let class = [text("type"), text("code"), text("status")];
        let class = class.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let message = error.as_str().or(text("message")).filter(|message| !message.is_empty());
        let message = message.map_or_else(|| excerpt(&error.to_string()), excerpt);
        Self { message, status, class }
    }

    /// The error in the middle of a streamed reply.
    pub(crate) fn in_stream(self) -> ModelError {
        let mut error = ModelError::of(
            self.kind(ModelErrorKind::Stream),
            format!("the server reported an error in its reply: {}", self.words()),
        );
        if let Some(status) = self.status {
            error = error.with_status(status.as_u16());
        }
        if self.may_pass() { error.retryable(None) } else { error }
    }

    /// The error in the place of a reply, under a status that tells of success.
    pub(crate) fn in_body(self) -> ModelError {
        let mut error = ModelError::of(
            self.kind(ModelErrorKind::Status),
            format!("the server sent an error for a reply: {}", self.words()),
        );
        if let Some(status) = self.status {
            error = error.with_status(status.as_u16());
        }
        if self.may_pass() { error.retryable(None) } else { error }
    }

    fn words(&self) -> String {
        match self.class.as_str() {
            "" => self.message.clone(),
            class if self.message.contains(class) => self.message.clone(),
            class => format!("{} ({class})", self.message),
        }
    }

    fn kind(&self, otherwise: ModelErrorKind) -> ModelErrorKind {
        let passing = self.status == Some(StatusCode::TOO_MANY_REQUESTS);
        if !passing && is_too_long(&format!("{} {}", self.class, self.message)) {
            ModelErrorKind::ContextLength
        } else {
            otherwise
        }
    }

    fn may_pass(&self) -> bool {
        let class = self.class.to_ascii_lowercase();
        if class.contains("insufficient_quota")
            || self.kind(ModelErrorKind::Other) == ModelErrorKind::ContextLength
        {
            return false;
        }
        let words =
            ["overloaded", "rate_limit", "server_error", "api_error", "timeout", "unavailable"];
        // Words count where there is no status.
        self.status.map_or_else(|| words.iter().any(|word| class.contains(word)), may_pass)
    }
}

/// Whether a text says that the conversation is longer than the model takes.
fn is_too_long(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "context_length",
        "context length",
        "context_size",
        "context size",
        "context window",
        "prompt is too long",
        "input is too long",
        "input token count",
        "max_model_len",
    ]
    .iter()
    .any(|words| text.contains(words))
}

fn may_pass(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 409 | 425 | 429) || status.is_server_error()
}

/// The failure of a request that the server answered with `status`.
pub(super) fn refused(status: StatusCode, headers: &HeaderMap, body: &str) -> ModelError {
    if status.is_redirection() {
        return redirected(status, headers);
    }
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let reported = reported(&value).or_else(|| {
        let message = value.get("message").or_else(|| value.get("detail"))?;
        Some(Reported { message: excerpt(message.as_str()?), status: None, class: String::new() })
    });
    let (said, class) = match &reported {
        Some(reported) => (reported.words(), reported.class.as_str()),
        None => (excerpt(body), ""),
    };
    let too_long =
        status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS && is_too_long(&said);
    let kind = if too_long { ModelErrorKind::ContextLength } else { ModelErrorKind::Status };
    let colon = if said.is_empty() { "" } else { ": " };
    let after = retry_after(headers, SystemTime::now());
    let wait = after.map(|time| format!(" (in {time:?}, it says)")).unwrap_or_default();
    let advice = advice(status, kind, class);
    let message = format!("the server answered {status}{colon}{said}; {advice}{wait}");
    let error = ModelError::of(kind, message).with_status(status.as_u16());
    if may_pass(status) && !too_long && !class.contains("insufficient_quota") {
        error.retryable(after)
    } else {
        error
    }
}

fn advice(status: StatusCode, kind: ModelErrorKind, class: &str) -> &'static str {
    match status.as_u16() {
        _ if kind == ModelErrorKind::ContextLength => {
            "shorten the conversation, or take a model with a longer context"
        }
        _ if class.contains("insufficient_quota") => "check the account of the key",
        401 | 403 => "check the key and what it may be used for",
        402 => "check the account of the key",
        404 | 405 => "check the base URL and the name of the model",
        408 | 409 | 425 | 429 | 500.. => "try again later",
        _ => "check the model, the settings and the tools against what the server takes",
    }
}

fn redirected(status: StatusCode, headers: &HeaderMap) -> ModelError {
    let location = headers.get(LOCATION).and_then(|location| location.to_str().ok());
    let host = location.and_then(|location| reqwest::Url::parse(location).ok());
    let place = match host.as_ref().and_then(|url| url.host_str()) {
        Some(host) => format!("`{host}`"),
        None => "another address".to_owned(),
    };
    ModelError::of(
        ModelErrorKind::Status,
        format!(
            "the server answered {status} and points to {place}, where the key is not sent; \
             if that is right, set the base URL to it"
        ),
    )
    .with_status(status.as_u16())
}

/// The failure of a request that got no answer.
pub(super) fn unreached(place: &str, error: reqwest::Error) -> ModelError {
    let error = error.without_url();
    let why = chain(&error);
    if error.is_builder() || error.is_request() && why.contains("invalid URL") {
        let message = format!("no request can be made of it: {why}; check the base URL");
        return ModelError::of(ModelErrorKind::Config, message);
    }
    let kind = if error.is_timeout() { ModelErrorKind::Timeout } else { ModelErrorKind::Connect };
    let message =
        format!("{place} cannot be reached: {why}; check the base URL, the network and the server");
    let error = ModelError::of(kind, message);
    // Trust does not come with time.
    if why.contains("certificate") { error } else { error.retryable(None) }
}

/// The failure of a connection in the middle of a reply.
pub(super) fn broken(error: reqwest::Error) -> ModelError {
    let why = chain(&error.without_url());
    let message = format!("the connection broke in the middle of a reply: {why}; ask again");
    ModelError::of(ModelErrorKind::Truncated, message).retryable(None)
}

/// The failure of a server that said nothing for too long.
pub(super) fn silent(what: &str, time: Duration) -> ModelError {
    let message = format!("the server {what} for {time:?}; try again, or allow it more time");
    ModelError::of(ModelErrorKind::Timeout, message).retryable(None)
}

/// The failure to read `what` of a reply, of which `why` says more.
pub(crate) fn unreadable(what: &str, why: &str) -> ModelError {
    let message = format!("{what} cannot be read: {why}; check that the base URL is the API's");
    ModelError::of(ModelErrorKind::Body, message)
}

/// Reads JSON. What ends before its end was cut off on its way.
///
/// Half of a surrogate pair, which is no character, is read as U+FFFD.
pub(crate) fn json<T: DeserializeOwned>(what: &str, text: &str) -> Result<T, ModelError> {
    let read = serde_json::from_str(text).or_else(|error| match surrogates::replaced(text) {
        Some(mended) => serde_json::from_str(&mended),
        None => Err(error),
    });
    read.map_err(|error| {
        if error.is_eof() && !text.trim().is_empty() {
            let message = format!("{what} was cut off; ask again");
            return ModelError::of(ModelErrorKind::Truncated, message).retryable(None);
        }
        let said = match excerpt(text) {
            said if said.is_empty() => "it is empty".to_owned(),
            said => format!("`{said}` is not what the API sends"),
        };
        unreadable(what, &said)
    })
}

/// An error with its causes, each said once.
pub(super) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let words = cause.to_string();
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        source = cause.source();
    }
    text
}

/// The beginning of what a server said, on one line; of a page, its title.
pub(crate) fn excerpt(text: &str) -> String {
    const CHARS: usize = 300;
    let title = text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    let text = title.map_or(text, |(title, _)| title);
    // Enough for the excerpt, whatever the length of the text.
    let start: String = text.chars().take(4 * CHARS).collect();
    let line = start.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(&line)),
        None => line,
    }
}
