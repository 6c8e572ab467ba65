//! Errors are collected, so that a signature with three mistakes shows three.

use std::fmt::Display;

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Error, Result};

/// The errors found so far. Every stage adds to it and goes on; only [`Diag::finish`] stops.
#[derive(Default)]
#[must_use = "the errors are shown only if `finish` is called"]
pub(crate) struct Diag {
    errors: Option<Error>,
}

impl Diag {
    /// Adds an error that underlines one token.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    /// Adds an error that underlines all of `tokens`.
    pub(crate) fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.errors {
            Some(errors) => errors.combine(error),
            None => self.errors = Some(error),
        }
    }

    /// The value of a result, its error being added here.
    pub(crate) fn keep<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// All errors as one, if there was any.
    pub(crate) fn finish(self) -> Result<()> {
        self.errors.map_or(Ok(()), Err)
    }
}
