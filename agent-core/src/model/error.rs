//! Why a model did not answer.

use std::error::Error;
use std::fmt;
use std::time::Duration;

/// Why a model did not answer.
///
/// Its kind and [`is_retryable`](Self::is_retryable) are for programs; its message is for people and
/// says what to do next. No key ever stands in it.
pub struct ModelError(Box<Inner>);

struct Inner {
    kind: ModelErrorKind,
    message: String,
    status: Option<u16>,
    retryable: bool,
    retry_after: Option<Duration>,
    partial: Option<String>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The model cannot be asked as it is set up: a key, a name or an address is missing or wrong.
    Config,
    /// The server could not be reached, or the connection broke before a reply began.
    Connect,
    /// The server was silent for too long.
    Timeout,
    /// The server refused the request.
    Status,
    /// The conversation is longer than the model can take.
    ContextLength,
    /// The server's reply cannot be read.
    Body,
    /// The server reported an error in the middle of a streamed reply.
    Stream,
    /// A streamed reply ended before its end signal.
    Truncated,
    /// Anything else, such as a script that ran out.
    Other,
}

impl ModelError {
    /// An error in words, of kind [`Other`](ModelErrorKind::Other).
    pub fn new(message: impl Into<String>) -> Self {
        Self::of(ModelErrorKind::Other, message)
    }

    /// An error of a kind.
    pub fn of(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            message: message.into(),
            status: None,
            retryable: false,
            retry_after: None,
            partial: None,
            source: None,
        }))
    }

    /// The error with its cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// The error with the HTTP status it came with.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.0.status = Some(status);
        self
    }

    /// The error, marked as one that may pass if the request is sent again, at the soonest after
    /// the time the server asked for.
    #[must_use]
    pub fn retryable(mut self, after: Option<Duration>) -> Self {
        self.0.retryable = true;
        self.0.retry_after = after;
        self
    }

    /// The error with the text that had arrived before it.
    #[must_use]
    pub fn with_partial(mut self, text: impl Into<String>) -> Self {
        self.0.partial = Some(text.into()).filter(|text| !text.is_empty());
        self
    }

    /// The error with its words changed: keys are taken out of them.
    #[cfg(feature = "http")]
    pub(crate) fn map_text(mut self, change: impl Fn(&str) -> String) -> Self {
        self.0.message = change(&self.0.message);
        self.0.partial = self.0.partial.as_deref().map(change);
        self
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> ModelErrorKind {
        self.0.kind
    }

    /// The HTTP status, if a server answered.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// Whether the same request may succeed later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// How long the server asked to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The text that had arrived before the failure. It is no finished reply and in no transcript.
    #[must_use]
    pub fn partial(&self) -> Option<&str> {
        self.0.partial.as_deref()
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, message, status, retryable, retry_after, .. } = &*self.0;
        f.debug_struct("ModelError")
            .field("kind", kind)
            .field("message", message)
            .field("status", status)
            .field("retryable", retryable)
            .field("retry_after", retry_after)
            .finish_non_exhaustive()
    }
}

impl Error for ModelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_ref().map(|source| &**source as &(dyn Error + 'static))
    }
}
