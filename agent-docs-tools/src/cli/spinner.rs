//! What is seen of a wait.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A line on standard error that moves while there is a wait, with the time it has taken and the
/// tokens of the run so far. It is there on a terminal alone.
#[derive(Debug)]
pub(crate) struct Spinner(ProgressBar);

impl Spinner {
    /// Without a wait.
    pub(crate) fn idle() -> Self {
        Self(ProgressBar::hidden())
    }

    /// Shows that there is a wait for `what`.
    pub(crate) fn wait(&mut self, what: &str, tokens: u64) {
        self.end();
        let bar = ProgressBar::new_spinner().with_prefix(what.to_owned());
        if bar.is_hidden() {
            return;
        }
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed}{msg}") {
            bar.set_style(style);
        }
        if tokens > 0 {
            bar.set_message(format!(", {tokens} tokens so far"));
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        self.0 = bar;
    }

    /// Ends the wait, and leaves nothing to be seen of it.
    pub(crate) fn end(&self) {
        self.0.finish_and_clear();
    }

    /// Does something that writes to the terminal.
    pub(crate) fn aside(&self, write: impl FnOnce()) {
        self.0.suspend(write);
    }
}
