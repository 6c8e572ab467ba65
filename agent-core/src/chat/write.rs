//! Writing messages.

use serde::Serialize;

use crate::message::{AssistantMessage, Message, ToolCall, ToolResult};

/// A message as it is written in Chat Completions form.
///
/// ```
/// use agent_core::Message;
/// use agent_core::chat::ChatMessage;
///
/// let message = Message::User { content: "Which way is north?".into() };
/// let json = serde_json::to_string(&ChatMessage::from(&message))?;
/// assert_eq!(json, r#"{"role":"user","content":"Which way is north?"}"#);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct ChatMessage<'m>(Form<'m>);

#[derive(Debug, Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Form<'m> {
    System {
        content: &'m str,
    },
    User {
        content: &'m str,
    },
    Assistant {
        /// `null` stands for no text beside calls.
        content: Option<&'m str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_content: Option<&'m str>,
        /// An empty list is not allowed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'m>>,
    },
    Tool {
        tool_call_id: &'m str,
        content: &'m str,
    },
}

#[derive(Debug, Serialize)]
struct Call<'m> {
    id: &'m str,
    r#type: &'static str,
    function: Function<'m>,
}

#[derive(Debug, Serialize)]
struct Function<'m> {
    name: &'m str,
    /// JSON, encoded as text.
    arguments: String,
}

impl<'m> From<&'m Message> for ChatMessage<'m> {
    fn from(message: &'m Message) -> Self {
        Self(match message {
            Message::System { content } => Form::System { content },
            Message::User { content } => Form::User { content },
            Message::Assistant(AssistantMessage { content, reasoning, tool_calls, .. }) => {
                Form::Assistant {
                    content: (!content.is_empty() || tool_calls.is_empty()).then_some(content),
                    reasoning_content: reasoning.as_deref(),
                    tool_calls: tool_calls.iter().map(Call::from).collect(),
                }
            }
            Message::Tool(ToolResult { call_id, content, .. }) => {
                Form::Tool { tool_call_id: call_id, content }
            }
        })
    }
}

impl<'m> From<&'m ToolCall> for Call<'m> {
    fn from(ToolCall { id, name, arguments }: &'m ToolCall) -> Self {
        Self {
            id,
            r#type: "function",
            function: Function { name, arguments: arguments.to_string() },
        }
    }
}
