//! What is seen of a run while it goes on.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use agent_core::{Event, Usage};

use super::output::{self, harmless};
use super::spinner::Spinner;
use super::steps::Steps;

/// What is seen of a run while it goes on: its steps and its waits on standard error and, where
/// standard output is a terminal, the model's text as it comes.
#[derive(Debug)]
pub(crate) struct Screen(Mutex<Shown>);

#[derive(Debug)]
struct Shown {
    steps: Steps,
    spinner: Spinner,
    used: Usage,
    streams: bool,
    text: Text,
}

/// What has been printed of the text of the last reply.
#[derive(Debug, PartialEq, Eq)]
enum Text {
    Nothing,
    Part,
    Whole,
}

impl Screen {
    /// Shows the model's text as it comes, if `streams`, to a terminal.
    pub(crate) fn new(streams: bool) -> Self {
        Self(Mutex::new(Shown {
            steps: Steps::default(),
            spinner: Spinner::idle(),
            used: Usage::default(),
            streams: streams && io::stdout().is_terminal(),
            text: Text::Nothing,
        }))
    }

    /// Shows what there is to see of `event`.
    pub(crate) fn show(&self, event: &Event) {
        self.with(|shown| shown.show(event));
    }

    /// Tells the user something while the run goes on.
    pub(crate) fn say(&self, text: impl Display) {
        self.with(|shown| shown.say(text));
    }

    /// Whether the text of the last reply has been printed to its end.
    pub(crate) fn has_answer(&self) -> bool {
        self.with(|shown| shown.text == Text::Whole)
    }

    fn with<T>(&self, act: impl FnOnce(&mut Shown) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Shown {
    fn show(&mut self, event: &Event) {
        match event {
            Event::RunStarted { .. } => self.used = Usage::default(),
            Event::StepStarted { step } => {
                self.text = Text::Nothing;
                self.wait(&format!("step {step}: waiting for the model"));
            }
            Event::Text { text, .. } if self.streams => self.stream(text),
            Event::Replied { usage, .. } => {
                self.used += *usage;
                self.spinner.end();
            }
            Event::CallStarted { step, call } => {
                self.wait(&format!("step {step}: {} is at work", call.name));
            }
            // The person who is asked has the terminal to themselves.
            Event::ApprovalAsked { .. } | Event::Stopped { .. } => self.spinner.end(),
            _ => {}
        }
        if matches!(event, Event::Replied { .. } | Event::Stopped { .. }) {
            self.end_text();
        }
        for line in self.steps.told(event) {
            self.say(line);
        }
        if matches!(event, Event::Replied { .. }) && self.text == Text::Whole {
            self.steps.text_is_shown();
        }
    }

    fn wait(&mut self, what: &str) {
        let tokens = self.used.prompt_tokens.saturating_add(self.used.completion_tokens);
        self.spinner.wait(&harmless(what), tokens);
    }

    fn say(&self, text: impl Display) {
        self.spinner.aside(|| output::say(text));
    }

    /// Prints a piece of text. Where that fails, the answer is printed in the end, or its failure
    /// told.
    fn stream(&mut self, text: &str) {
        self.spinner.end();
        let text = if self.text == Text::Nothing { text.trim_start() } else { text };
        if text.is_empty() {
            return;
        }
        let mut stdout = io::stdout().lock();
        let printed = write!(stdout, "{}", harmless(text)).and_then(|()| stdout.flush());
        match printed {
            Ok(()) => self.text = Text::Part,
            Err(_) => self.streams = false,
        }
    }

    fn end_text(&mut self) {
        if self.text == Text::Part {
            let ended = writeln!(io::stdout());
            self.text = if ended.is_ok() { Text::Whole } else { Text::Nothing };
        }
    }
}
