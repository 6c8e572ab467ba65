//! The transcript: messages, append-only and valid at every moment.

mod repair;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::{Deserialize, Serialize, Serializer};

use crate::message::{AssistantMessage, Message, ToolCall, ToolResult};

/// The messages of a conversation.
///
/// It is valid at every moment: each assistant message that holds tool calls is followed by exactly
/// one result for each call, in the order of the calls and with their ids, and no id occurs twice.
/// It can only grow, a whole turn at a time, so no one ever sees a call without its result.
///
/// It serialises as the list of its messages. Reading one back checks it; messages of uncertain
/// origin go through [`Transcript::repaired`].
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(try_from = "Vec<Message>")]
pub struct Transcript {
    messages: Vec<Message>,
}

impl Transcript {
    /// An empty transcript.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a valid transcript of any messages: results without a call are left out, calls without
    /// a result get `error(cancelled)`, results are put in the order of their calls, and missing or
    /// repeated ids are replaced.
    #[must_use]
    pub fn repaired(messages: Vec<Message>) -> Self {
        Self { messages: repair::repair(messages) }
    }

    /// The messages, oldest first.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Appends standing instructions.
    pub fn push_system(&mut self, content: impl Into<String>) {
        self.messages.push(Message::System { content: content.into() });
    }

    /// Appends a question.
    pub fn push_user(&mut self, content: impl Into<String>) {
        self.messages.push(Message::User { content: content.into() });
    }

    /// Appends a reply and the results of its calls, whole. The caller has paired them.
    pub(crate) fn push_turn(&mut self, message: AssistantMessage, results: Vec<ToolResult>) {
        debug_assert!(pairs(&message.tool_calls, &results));
        self.messages.push(Message::Assistant(message));
        self.messages.extend(results.into_iter().map(Message::Tool));
    }
}

impl From<Transcript> for Vec<Message> {
    fn from(transcript: Transcript) -> Self {
        transcript.messages
    }
}

impl Serialize for Transcript {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.messages.serialize(serializer)
    }
}

fn pairs(calls: &[ToolCall], results: &[ToolResult]) -> bool {
    calls.len() == results.len()
        && calls.iter().zip(results).all(|(call, result)| call.id == result.call_id)
}

/// Why messages are no valid [`Transcript`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("message {index} of the transcript: {problem}")]
pub struct InvalidTranscript {
    index: usize,
    problem: String,
}

impl InvalidTranscript {
    /// The position of the message at fault, counted from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }
}

/// Checks the rules; [`Transcript::repaired`] mends instead.
impl TryFrom<Vec<Message>> for Transcript {
    type Error = InvalidTranscript;

    fn try_from(messages: Vec<Message>) -> Result<Self, Self::Error> {
        let mut ids = HashSet::new();
        let mut open: &[ToolCall] = &[];
        for (index, message) in messages.iter().enumerate() {
            let invalid = |problem| Err(InvalidTranscript { index, problem });
            match (message, open) {
                (Message::Tool(result), [call, rest @ ..]) if call.id == result.call_id => {
                    open = rest
                }
                (Message::Tool(result), []) => {
                    return invalid(format!("the result of `{}` answers no call", result.call_id));
                }
                (_, [call, ..]) => {
                    return invalid(format!("the result of call `{}` is due here", call.id));
                }
                (Message::Assistant(reply), []) => {
                    open = &reply.tool_calls;
                    for ToolCall { id, .. } in open {
                        if id.is_empty() || !ids.insert(id) {
                            return invalid(format!("the call id `{id}` is empty or occurs twice"));
                        }
                    }
                }
                (Message::System { .. } | Message::User { .. }, []) => {}
            }
        }
        if let [call, ..] = open {
            let problem = format!("the result of call `{}` is due here", call.id);
            return Err(InvalidTranscript { index: messages.len(), problem });
        }
        Ok(Self { messages })
    }
}
