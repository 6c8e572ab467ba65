//! The offline planner: a model that answers from documents by rules, without a language model.
//!
//! It knows the documents by tool results alone, like any other model. Its steps: search the words of
//! the question (`question`, `search`); find where several of them meet, rare words first (`matcher`,
//! `spots`); read there (`reading`); order the sections that were read by how well they fit
//! (`outline`, `evidence`, `rank`); quote the best, with file and lines (`passage`, `answer`).
//!
//! The weights in these files were settled by measuring, on documents of several kinds. Each can be
//! changed by a fifth and hardly matters; which of them are there does.

mod answer;
mod call;
mod evidence;
mod markdown;
mod matcher;
mod notes;
mod outline;
mod passage;
mod plan;
mod question;
mod rank;
mod reading;
mod replies;
mod search;
mod spots;
mod stop_words;
#[cfg(test)]
mod tests;
mod words;

use std::future::ready;

use agent_core::Message;
use agent_core::model::{BoxFuture, Model, ModelError, Reply, Request};
use agent_core::run::WRAP_UP;

use self::call::Call;
use self::notes::Notes;
use self::plan::Move;
use self::question::Question;

/// A model that answers questions from documents by rules: it searches with `grep_docs` and
/// `list_docs`, reads with `read_doc`, and quotes the passages that fit, with file and lines.
///
/// It keeps nothing between requests: what it does next follows from the messages since the last
/// question. A follow-up question that names no subject (`and how do I turn it off?`) is read
/// together with the question before it.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct OfflinePlanner;

impl OfflinePlanner {
    /// The planner.
    #[must_use]
    pub fn new() -> Self {
        Self
    }
}

impl Model for OfflinePlanner {
    fn name(&self) -> &str {
        "offline"
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let is_offered = |call: &Call| request.tools.iter().any(|tool| tool.name() == call.tool());
        Box::pin(ready(Ok(reply(request.messages, is_offered))))
    }
}

fn reply(messages: &[Message], is_offered: impl Fn(&Call) -> bool) -> Reply {
    let (question, since) = last_question(messages);
    let (notes, steps) = take_notes(since);
    match plan::next(&question, &notes, steps, is_offered) {
        Move::Answer(text) => Reply::text(text),
        Move::Call(calls) => calls
            .iter()
            .fold(Reply::default(), |reply, call| reply.and_call(call.tool(), call.arguments())),
    }
}

/// The last question of a transcript, and the messages after it.
fn last_question(messages: &[Message]) -> (Question, &[Message]) {
    let Some(last) = messages.iter().rposition(|message| asked(message).is_some()) else {
        return (Question::default(), messages);
    };
    let (before, rest) = messages.split_at(last);
    let text = rest.first().and_then(asked).unwrap_or_default();
    let question = Question::parse(text);
    let since = rest.get(1..).unwrap_or_default();
    match before.iter().rev().find_map(asked) {
        Some(earlier) if !question.has_subject() => {
            (Question::parse(&format!("{text}\n{earlier}")), since)
        }
        _ => (question, since),
    }
}

/// What the user asked with a message; the run's own request for a last answer asks nothing new.
fn asked(message: &Message) -> Option<&str> {
    match message {
        Message::User { content } if content != WRAP_UP => Some(content),
        _ => None,
    }
}

/// What the messages since the question tell of the documents, and in how many steps.
fn take_notes(messages: &[Message]) -> (Notes, usize) {
    let mut notes = Notes::default();
    let mut steps = 0;
    let mut pending: Vec<(&str, Call)> = Vec::new();
    for message in messages {
        match message {
            Message::Assistant(reply) => {
                steps += 1;
                pending.extend(reply.tool_calls.iter().filter_map(|call| {
                    Some((call.id.as_str(), Call::from_transcript(&call.name, &call.arguments)?))
                }));
            }
            Message::Tool(result) => {
                let place = pending.iter().position(|(id, _)| *id == result.call_id);
                if let Some((_, call)) = place.map(|place| pending.remove(place)) {
                    notes.record(call, if result.is_error { "" } else { &result.content });
                }
            }
            _ => {}
        }
    }
    (notes, steps)
}
