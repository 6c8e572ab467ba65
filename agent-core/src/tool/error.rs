//! The error of a tool: for the model to act on, or fatal to the run.

use std::error::Error;
use std::fmt;

type Boxed = Box<dyn Error + Send + Sync>;

/// Why a tool failed.
///
/// An ordinary error goes to the model as `error(failed): ..`, with its causes, and the run goes
/// on. A [fatal](ToolError::fatal) one ends the run.
///
/// Any error converts into it with `?`. Like `anyhow::Error` it does not implement
/// [`std::error::Error`] itself, which is what makes that conversion possible; it converts into a
/// boxed one.
///
/// ```
/// use agent_core::{ToolError, tool};
///
/// #[tool("Read a number from a file.", read_only)]
/// fn read_number(path: String) -> Result<i64, ToolError> {
///     let text = std::fs::read_to_string(&path)?;
///     text.trim().parse().map_err(|_| ToolError::new(format!("`{path}` holds no number")))
/// }
/// ```
pub struct ToolError(Box<Inner>);

/// The part that is an [`Error`], so that a `ToolError` survives the way through a boxed one.
#[derive(Debug)]
struct Inner {
    error: Boxed,
    fatal: bool,
}

impl ToolError {
    /// An error that the model can act on: say what was wrong and what to do next.
    pub fn new(message: impl Into<String>) -> Self {
        Self::from_boxed(message.into().into())
    }

    /// An error that ends the run.
    pub fn fatal(error: impl Into<Boxed>) -> Self {
        let mut fatal = Self::from_boxed(error.into());
        fatal.0.fatal = true;
        fatal
    }

    /// Whether it ends the run.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.0.fatal
    }

    pub(crate) fn from_boxed(error: Boxed) -> Self {
        match error.downcast::<Inner>() {
            Ok(inner) => Self(inner),
            Err(error) => Self(Box::new(Inner { error, fatal: false })),
        }
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::from_boxed(error.into())
    }
}

impl From<ToolError> for Boxed {
    fn from(error: ToolError) -> Self {
        error.0
    }
}

/// The message and its causes, `: ` between them.
impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with_causes(&*self.0.error))
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("error", &self.0.error)
            .field("fatal", &self.0.fatal)
            .finish()
    }
}

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

impl Error for Inner {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

/// An error's message, then those of its causes that the messages before have not said already.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.ends_with(&message) {
            text = format!("{text}: {message}");
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot open the file")]
    struct Outer(#[source] std::io::Error);

    #[test]
    fn the_text_has_the_causes_and_says_none_twice() {
        let error = ToolError::from(Outer(std::io::Error::other("disk on fire")));
        assert_eq!(error.to_string(), "cannot open the file: disk on fire");
        let error = ToolError::from(std::io::Error::other(std::io::Error::other("once")));
        assert_eq!(error.to_string(), "once");
    }

    #[test]
    fn a_fatal_error_stays_fatal_through_a_boxed_one() {
        let boxed: Boxed = ToolError::fatal("the licence has run out").into();
        let back = ToolError::from_boxed(boxed);
        assert!(back.is_fatal());
        assert_eq!(back.to_string(), "the licence has run out");
    }
}
