//! What the requests of one run show, and how much room it takes.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::decide::decide;
use super::estimate::{self, Scale};
use super::{ContextPolicy, Room};
use crate::message::Message;
use crate::model::Reply;
use crate::toolbox::Toolbox;
use crate::trace::Event;
use crate::usage::Usage;

/// The room that an agent's requests have, and who decides what they show where it is too small.
pub(crate) struct Window {
    /// The most tokens of a request; `None` is without end.
    limit: Option<u64>,
    policy: Arc<dyn ContextPolicy>,
    toolbox: Arc<Toolbox>,
    /// Estimated tokens of the tools.
    tools: u64,
    /// Whether anyone asks how many tokens a request takes.
    counted: bool,
}

impl Window {
    /// A window of so many tokens, of which `reply` are kept free for the reply, but no more than
    /// half. Without a number of `tokens` nothing is ever cut.
    pub(crate) fn new(
        tokens: Option<u64>,
        reply: u64,
        policy: Arc<dyn ContextPolicy>,
        toolbox: Arc<Toolbox>,
    ) -> Self {
        let limit = tokens.map(|tokens| tokens - reply.min(tokens / 2));
        let tools = estimate::tools(toolbox.tools());
        Self { limit, policy, toolbox, tools, counted: limit.is_some() }
    }

    /// The window, with tokens counted also where there is no end to them.
    pub(crate) fn counted(self) -> Self {
        Self { counted: true, ..self }
    }
}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Window").field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// What the requests of a run show of its transcript.
///
/// Each message is counted once, when it is first shown. While all fits, the transcript itself is
/// shown; between cuts, new messages are added to what was left by the last.
pub(crate) struct Context {
    window: Arc<Window>,
    /// Estimated tokens of the messages shown.
    messages: u64,
    scale: Scale,
    /// How many messages of the transcript have been counted.
    seen: usize,
    /// What is shown in place of the transcript.
    view: Option<Vec<Message>>,
    /// The most tokens of a request, as far as it is known.
    limit: Option<u64>,
    counted: bool,
}

impl Context {
    pub(crate) fn new(window: Arc<Window>) -> Self {
        let Window { limit, counted, .. } = *window;
        let (messages, scale, seen, view) = (0, Scale::default(), 0, None);
        Self { window, messages, scale, seen, view, limit, counted }
    }

    /// Has tokens counted, also where no window and no budget of the agent asks for it.
    pub(crate) fn count(&mut self) {
        self.counted = true;
    }

    /// The messages to send for a transcript that has only grown since this was last asked. With a
    /// report they are others than the last time, else those and new ones.
    pub(crate) fn view<'a>(
        &'a mut self,
        transcript: &'a [Message],
    ) -> (&'a [Message], Option<CutReport>) {
        if !self.counted {
            return (transcript, None);
        }
        let new = transcript.get(self.seen..).unwrap_or_default();
        self.messages = self.messages.saturating_add(estimated(new));
        self.seen = transcript.len();
        if let Some(view) = &mut self.view {
            view.extend_from_slice(new);
        }
        let limit = self.limit.filter(|limit| self.tokens() > *limit);
        let report = limit.and_then(|limit| self.cut(limit, transcript));
        (self.shown(transcript), report)
    }

    /// The messages that were last viewed of this transcript, or left by the last cut.
    pub(crate) fn shown<'a>(&'a self, transcript: &'a [Message]) -> &'a [Message] {
        self.view.as_deref().unwrap_or(transcript)
    }

    /// Makes the request that was last viewed smaller, since the model said it is too long, and
    /// keeps to that from now on. Without a report nothing can be left out.
    pub(crate) fn shrink(&mut self, transcript: &[Message]) -> Option<CutReport> {
        self.counted = true;
        self.view(transcript);
        let limit = self.tokens() / 4 * 3;
        self.limit = Some(limit);
        self.cut(limit, transcript)
    }

    /// Sets the estimates right by what the provider counted for the request that was last viewed.
    pub(crate) fn counted(&mut self, usage: Usage) {
        if self.counted && usage.prompt_tokens > 0 {
            self.scale = Scale::of(usage.prompt_tokens, self.estimate());
        }
    }

    /// An estimate of the tokens of a reply that no one counted.
    pub(crate) fn tokens_of_reply(&self, reply: &Reply) -> u64 {
        self.scale.apply(estimate::reply(reply))
    }

    fn cut(&mut self, limit: u64, transcript: &[Message]) -> Option<CutReport> {
        let Window { policy, toolbox, tools, .. } = &*self.window;
        let tokens = limit.saturating_sub(self.scale.apply(*tools));
        let room = Room { tokens, scale: self.scale, toolbox };
        let before = self.shown(transcript);
        let after = decide(&**policy, before, &room);
        let messages = estimated(&after);
        // A request that the model finds too long is cut until this is so.
        if messages >= self.messages {
            return None;
        }
        let (results_cut, turns_dropped) =
            (results_cut(before, &after), turns_dropped(before, &after));
        let tokens_before = self.tokens();
        self.messages = messages;
        self.view = Some(after);
        let tokens_after = self.tokens();
        Some(CutReport { results_cut, turns_dropped, tokens_before, tokens_after })
    }

    /// The tokens of the request that was last viewed, if they are counted.
    pub(crate) fn tokens(&self) -> u64 {
        self.scale.apply(self.estimate())
    }

    fn estimate(&self) -> u64 {
        self.messages.saturating_add(self.window.tools)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("window", &self.window)
            .field("tokens", &self.tokens())
            .field("seen", &self.seen)
            .field("view", &self.view.as_ref().map(Vec::len))
            .finish_non_exhaustive()
    }
}

/// What a cut has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CutReport {
    pub(crate) results_cut: usize,
    pub(crate) turns_dropped: usize,
    pub(crate) tokens_before: u64,
    pub(crate) tokens_after: u64,
}

impl CutReport {
    /// The cut as the trace has it.
    pub(crate) fn event(self, step: u32) -> Event {
        let Self { results_cut, turns_dropped, tokens_before, tokens_after } = self;
        Event::ContextCut { step, results_cut, turns_dropped, tokens_before, tokens_after }
    }
}

fn estimated(messages: &[Message]) -> u64 {
    messages.iter().map(estimate::message).fold(0, u64::saturating_add)
}

fn turns_dropped(before: &[Message], after: &[Message]) -> usize {
    let turns = |messages: &[Message]| {
        messages.iter().filter(|message| matches!(message, Message::Assistant(_))).count()
    };
    turns(before).saturating_sub(turns(after))
}

fn results_cut(before: &[Message], after: &[Message]) -> usize {
    let before: HashMap<&str, &str> = before.iter().filter_map(result).collect();
    let is_cut = |(id, content): &(&str, &str)| before.get(id).is_some_and(|was| was != content);
    after.iter().filter_map(result).filter(is_cut).count()
}

fn result(message: &Message) -> Option<(&str, &str)> {
    match message {
        Message::Tool(result) => Some((&result.call_id, &result.content)),
        _ => None,
    }
}
