//! Telling the caller what arrives, and remembering whether anything was shown.

use std::time::Duration;

use crate::model::{Delta, ModelError};

/// Tells what arrives of a reply.
pub(crate) struct Deltas<'a> {
    tell: &'a mut (dyn FnMut(Delta<'_>) + Send + 'a),
    shown: bool,
}

impl<'a> Deltas<'a> {
    pub(crate) fn new(tell: &'a mut (dyn FnMut(Delta<'_>) + Send + 'a)) -> Self {
        Self { tell, shown: false }
    }

    /// Tells a piece of text, if there is any.
    pub(crate) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.shown = true;
            (self.tell)(Delta::Text(text));
        }
    }

    /// Tells a piece of reasoning, if there is any.
    pub(crate) fn reasoning(&mut self, text: &str) {
        if !text.is_empty() {
            self.shown = true;
            (self.tell)(Delta::Reasoning(text));
        }
    }

    pub(super) fn retry(&mut self, attempt: u32, wait: Duration, error: &ModelError) {
        (self.tell)(Delta::Retry { attempt, wait, error });
    }

    pub(super) fn shown(&self) -> bool {
        self.shown
    }
}
