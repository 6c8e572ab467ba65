//! Reading a whole transcript.

use serde::Deserialize;
use serde_json::Value;

use super::read::{ChatFormatError, Problem};
use crate::call::{ErrorKind, read_arguments};
use crate::message::{Arguments, AssistantMessage, Message, ToolCall, ToolResult};
use crate::transcript::Transcript;

/// Reads a list of messages in Chat Completions form, such as [`ChatMessage`](super::ChatMessage)
/// writes, as a transcript. What makes none is [repaired](Transcript::repaired).
///
/// ```
/// use agent_core::chat;
///
/// let transcript = chat::transcript(
///     r#"[{"role": "user", "content": "Which way is north?"},
///         {"role": "assistant", "content": "Up."}]"#,
/// )?;
/// assert_eq!(transcript.messages().len(), 2);
/// # Ok::<_, chat::ChatFormatError>(())
/// ```
///
/// # Errors
///
/// The text is no such list.
pub fn transcript(json: &str) -> Result<Transcript, ChatFormatError> {
    let messages: Vec<Written> =
        serde_json::from_str(json).map_err(|error| ChatFormatError(Problem::Messages(error)))?;
    Ok(Transcript::repaired(named(messages.into_iter().map(Message::from).collect())))
}

#[derive(Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Written {
    #[serde(alias = "developer")]
    System {
        content: Content,
    },
    User {
        content: Content,
    },
    Assistant {
        #[serde(default)]
        content: Content,
        reasoning_content: Option<String>,
        tool_calls: Option<Vec<Call>>,
    },
    Tool {
        #[serde(default)]
        tool_call_id: String,
        #[serde(default)]
        content: Content,
    },
}

/// Text, in one piece or in parts; parts that are no text are left out.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
    #[default]
    None,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
struct Call {
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    arguments: Value,
}

impl From<Written> for Message {
    fn from(message: Written) -> Self {
        match message {
            Written::System { content } => Self::System { content: content.into() },
            Written::User { content } => Self::User { content: content.into() },
            Written::Assistant { content, reasoning_content: reasoning, tool_calls } => {
                let tool_calls = tool_calls.unwrap_or_default().into_iter().map(ToolCall::from);
                Self::Assistant(AssistantMessage {
                    content: content.into(),
                    reasoning,
                    tool_calls: tool_calls.collect(),
                    provider_data: None,
                })
            }
            Written::Tool { tool_call_id: call_id, content } => {
                let content = String::from(content);
                let is_error = ErrorKind::of(&content).is_some();
                Self::Tool(ToolResult { call_id, name: String::new(), content, is_error })
            }
        }
    }
}

impl From<Content> for String {
    fn from(content: Content) -> Self {
        match content {
            Content::Text(text) => text,
            Content::Parts(parts) => parts.into_iter().map(|part| part.text).collect(),
            Content::None => Self::new(),
        }
    }
}

impl From<Call> for ToolCall {
    fn from(Call { id, function: Function { name, arguments } }: Call) -> Self {
        let arguments = read_arguments(arguments).map(Arguments::from).unwrap_or_default();
        Self { id: id.unwrap_or_default(), name, arguments }
    }
}

/// Gives results the names of the tools, which are written at the calls alone.
fn named(mut messages: Vec<Message>) -> Vec<Message> {
    let mut calls: Vec<(String, String)> = Vec::new();
    for message in &mut messages {
        match message {
            Message::Assistant(reply) => {
                let call = |call: &ToolCall| (call.id.clone(), call.name.clone());
                calls = reply.tool_calls.iter().map(call).collect();
            }
            Message::Tool(result) => {
                let place = calls.iter().position(|(id, _)| *id == result.call_id);
                if let Some(place) = place {
                    (_, result.name) = calls.remove(place);
                }
            }
            _ => {}
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::transcript;
    use crate::chat::ChatMessage;
    use crate::message::Message;

    fn read(messages: Value) -> Vec<Message> {
        transcript(&messages.to_string()).unwrap().messages().to_vec()
    }

    fn calls(ids: &[&str]) -> Value {
        let call = |id| json!({"id": id, "type": "function", "function": {"name": id, "arguments": "{\"n\":1}"}});
        let calls: Vec<_> = ids.iter().map(call).collect();
        json!({"role": "assistant", "content": null, "tool_calls": calls})
    }

    #[test]
    fn what_was_written_is_read_as_it_was() {
        let written = json!([
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "go"},
            calls(&["a", "b"]),
            {"role": "tool", "tool_call_id": "a", "content": "1"},
            {"role": "tool", "tool_call_id": "b", "content": "error(failed): no; try c"},
            {"role": "assistant", "content": "One.", "reasoning_content": "so"},
        ]);
        let messages = read(written.clone());
        let Message::Tool(result) = &messages[4] else { panic!("{messages:?}") };
        assert_eq!((result.name.as_str(), result.is_error), ("b", true));
        let again: Vec<ChatMessage<'_>> = messages.iter().map(Into::into).collect();
        assert_eq!(serde_json::to_value(again).unwrap(), written);
    }

    #[test]
    fn what_is_missing_or_in_parts_is_made_good() {
        let messages = read(json!([
            {"role": "developer", "content": [{"type": "text", "text": "be "}, {"type": "text", "text": "brief"}]},
            {"role": "user", "content": [{"type": "image_url"}, {"type": "text", "text": "go"}]},
            {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{\"n\":"}}]},
            {"role": "user", "content": "and?"},
            {"role": "tool", "tool_call_id": "stray", "content": "1"},
        ]));
        let expected = json!([
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "",
             "tool_calls": [{"id": "c00000001", "name": "f", "arguments": {}}]},
            {"role": "tool", "call_id": "c00000001", "name": "f", "is_error": true, "content":
             "error(cancelled): the result of this call was lost; call again if it is still needed"},
            {"role": "user", "content": "and?"},
        ]);
        assert_eq!(serde_json::to_value(messages).unwrap(), expected);
    }

    #[test]
    fn what_is_no_list_of_messages_is_refused() {
        for text in ["", "{}", r#"[{"content": "x"}]"#, r#"[{"role": "critic", "content": "x"}]"#] {
            let error = transcript(text).unwrap_err().to_string();
            assert!(error.starts_with("not a JSON list of messages in Chat"), "{error}");
        }
    }
}
