//! Turning what a function returned into text.
//!
//! The macro knows the written return type only, so the way is chosen by method resolution, where
//! the real type is known: of several traits with a method of one name, the one for the type behind
//! the most references goes first. `Result` is told from other values, under any alias; then comes
//! `Display`, then `Serialize`; last a way whose bound nothing meets, for its error message.

use std::error::Error;
use std::fmt::Display;

use serde::Serialize;

use crate::call::Problem;
use crate::tool::{ToolError, with_causes};

/// What a call comes to.
pub type Returned = Result<String, CallError>;

/// Why a call came to nothing.
#[derive(Debug)]
pub enum CallError {
    /// The arguments did not fit.
    Arguments(Vec<Problem>),
    /// The function returned an error.
    Tool(ToolError),
}

/// A function's value, of any type.
#[derive(Debug)]
pub struct ValueOf<T>(pub T);

impl<T, E> ValueOf<Result<T, E>> {
    /// The two sides, to be turned into text each in its way.
    ///
    /// # Errors
    ///
    /// The function returned an error.
    pub fn split(self) -> Result<Success<T>, Failure<E>> {
        self.0.map(Success).map_err(Failure)
    }
}

/// What is no `Result` is a success.
pub trait Plain<T> {
    /// The value, as a success.
    ///
    /// # Errors
    ///
    /// Never.
    fn split(self) -> Result<Success<T>, Failure<std::convert::Infallible>>;
}

impl<T> Plain<T> for ValueOf<T> {
    fn split(self) -> Result<Success<T>, Failure<std::convert::Infallible>> {
        Ok(Success(self.0))
    }
}

/// A value to be turned into text.
#[derive(Debug)]
pub struct Success<T>(pub T);

/// An error to be turned into a [`ToolError`].
#[derive(Debug)]
pub struct Failure<E>(pub E);

/// One trait and one tag a way: `(&&&&value).way()` finds the first that its type allows.
macro_rules! ways {
    ($($(#[$doc:meta])* $way:ident, $tag:ident: [$($generics:tt)*] $receiver:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $tag;

        $(#[$doc])*
        pub trait $way {
            /// The way.
            fn way(&self) -> $tag {
                $tag
            }
        }

        impl<$($generics)*> $way for $receiver {}
    )*};
}

ways! {
    /// `()`: a function that returns nothing has done what it should.
    ValueViaUnit, AsUnit: [] &&&Success<()>;
    /// Its own words.
    ValueViaDisplay, AsDisplay: [T: Display] &&Success<T>;
    /// Compact JSON.
    ValueViaSerialize, AsJson: [T: Serialize] &Success<T>;
    /// No way.
    ValueViaNothing, AsNothing: [T] Success<T>;

    /// Errors, `anyhow`'s, text, and [`ToolError`] itself.
    ErrorViaBox, AsBoxed: [E: Into<Box<dyn Error + Send + Sync>>] &&&Failure<E>;
    /// A boxed error that cannot change threads.
    ErrorViaDynError, AsDynError: [] &&Failure<Box<dyn Error>>;
    /// Its own words.
    ErrorViaDisplay, AsMessage: [E: Display] &Failure<E>;
    /// No way.
    ErrorViaNothing, AsNoError: [E] Failure<E>;
}

#[expect(clippy::needless_pass_by_value, reason = "each tag is called alike")]
mod tags {
    use super::*;

    impl AsUnit {
        /// The text.
        pub fn text(self, _: Success<()>) -> Returned {
            Ok("ok".to_owned())
        }
    }

    impl AsDisplay {
        /// The text.
        pub fn text<T: Display>(self, value: Success<T>) -> Returned {
            Ok(value.0.to_string())
        }
    }

    impl AsJson {
        /// The text.
        pub fn text<T: Serialize>(self, value: Success<T>) -> Returned {
            serde_json::to_string(&value.0).map_err(|error| CallError::Tool(error.into()))
        }
    }

    impl AsNothing {
        /// Never called.
        pub fn text<T: ToolOutput>(self, _: Success<T>) -> Returned {
            Ok(String::new())
        }
    }

    impl AsBoxed {
        /// The error.
        pub fn error<E: Into<Box<dyn Error + Send + Sync>>>(
            self,
            failure: Failure<E>,
        ) -> CallError {
            CallError::Tool(ToolError::from_boxed(failure.0.into()))
        }
    }

    impl AsDynError {
        /// The error.
        pub fn error(self, failure: Failure<Box<dyn Error>>) -> CallError {
            CallError::Tool(ToolError::new(with_causes(&*failure.0)))
        }
    }

    impl AsMessage {
        /// The error.
        pub fn error<E: Display>(self, failure: Failure<E>) -> CallError {
            CallError::Tool(ToolError::new(failure.0.to_string()))
        }
    }

    impl AsNoError {
        /// Never called.
        pub fn error<E: ToolFailure>(self, _: Failure<E>) -> CallError {
            CallError::Arguments(Vec::new())
        }
    }
}

/// Implemented by nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot become the text of a tool result",
    label = "is neither `Display` nor `Serialize`",
    note = "return a `String`, or derive `serde::Serialize` for `{Self}`"
)]
pub trait ToolOutput {}

/// Implemented by nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "is neither an error nor `Display`",
    note = "return `agent_core::ToolError`, a `String`, or any type that implements `std::error::Error`"
)]
pub trait ToolFailure {}

/// Turns what a function returned into what a call comes to.
#[doc(hidden)]
#[macro_export]
macro_rules! __reply {
    ($returned:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::ways::*;
        match $crate::__private::ValueOf($returned).split() {
            $crate::__private::Ok(value) => (&&&&value).way().text(value),
            $crate::__private::Err(failure) => {
                $crate::__private::Err((&&&&failure).way().error(failure))
            }
        }
    }};
}
