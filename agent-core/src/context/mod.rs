//! The context of a run: what each request shows of its transcript.
//!
//! A transcript holds everything that was said, and a long one does not fit a model's window. While it
//! fits it is sent as it is. Once it does not, a [`ContextPolicy`] says what to show, and from then on
//! new messages are added to that, until it does not fit either. So cuts are rare, the beginning of a
//! request stays what it was between two of them, and providers read it from their caches. The
//! transcript itself always stays whole.

mod decide;
mod estimate;
mod keep_newest;
mod plan;
mod stub;
#[cfg(test)]
mod tests;
mod view;

use std::fmt;

pub use keep_newest::KeepNewest;
pub(crate) use view::{Context, CutReport, Window};

use crate::message::Message;
use crate::tool::Tool;
use crate::toolbox::Toolbox;
use estimate::Scale;

/// Decides what a request shows of a conversation that no longer fits the model's window.
///
/// A policy cannot break a run. What it gives is taken only if it is a valid
/// [`Transcript`](crate::Transcript) that ends with the same question or result as the messages it
/// was given. Otherwise, or if it panics, [`KeepNewest`] decides instead; if it gives more than fits,
/// [`KeepNewest`] goes on from there.
///
/// ```
/// use agent_core::context::{ContextPolicy, Room};
/// use agent_core::{Message, Toolbox};
///
/// /// Shows the last question and its answer so far, and nothing before.
/// struct LastQuestion;
///
/// impl ContextPolicy for LastQuestion {
///     fn cut(&self, messages: &[Message], _: &Room<'_>) -> Vec<Message> {
///         let question = |message: &Message| matches!(message, Message::User { .. });
///         let from = messages.iter().rposition(question).unwrap_or(0);
///         messages[from..].to_vec()
///     }
/// }
///
/// let said = |content: &str| Message::User { content: content.to_owned() };
/// let toolbox = Toolbox::default();
/// let shown = LastQuestion.cut(&[said("One?"), said("Two?")], &Room::new(1000, &toolbox));
/// assert_eq!(shown, [said("Two?")]);
/// ```
pub trait ContextPolicy: Send + Sync {
    /// What to show in place of `messages`, which is what the request before showed and what was
    /// said since. Called only when they do not fit `room`.
    ///
    /// What is given should leave a part of the room free: the more, the longer until the next cut.
    /// The run waits for it, so that it should not take long.
    fn cut(&self, messages: &[Message], room: &Room<'_>) -> Vec<Message>;
}

/// The room that a request has for its messages.
#[derive(Clone, Copy)]
pub struct Room<'r> {
    tokens: u64,
    scale: Scale,
    toolbox: &'r Toolbox,
}

impl<'r> Room<'r> {
    /// Room for `tokens`, as it is before a provider has counted any.
    #[must_use]
    pub fn new(tokens: u64, toolbox: &'r Toolbox) -> Self {
        Self { tokens, scale: Scale::default(), toolbox }
    }

    /// The tokens that the messages of a request may take: those of the window without what is kept
    /// free for the reply and what the tools take.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The tokens that `message` takes: an estimate, set right by what the provider has counted.
    #[must_use]
    pub fn count(&self, message: &Message) -> u64 {
        self.scale.apply(estimate::message(message))
    }

    /// The tokens that `messages` take.
    #[must_use]
    pub fn count_all<'m>(&self, messages: impl IntoIterator<Item = &'m Message>) -> u64 {
        messages.into_iter().fold(0, |sum, message| sum.saturating_add(self.count(message)))
    }

    /// The tool named `name`, if the agent has it: whether a result can be had again depends on what
    /// its tool does.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&'r Tool> {
        self.toolbox.get(name)
    }
}

impl fmt::Debug for Room<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Room").field("tokens", &self.tokens).finish_non_exhaustive()
    }
}
