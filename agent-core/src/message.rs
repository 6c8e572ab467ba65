//! Messages: what a transcript is made of.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

/// One message of a [transcript](crate::Transcript).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Message {
    /// Standing instructions to the model.
    System {
        /// The instructions.
        content: String,
    },
    /// What the user asked.
    User {
        /// The question.
        content: String,
    },
    /// What the model replied: text, tool calls, or both.
    Assistant(AssistantMessage),
    /// The result of one tool call.
    Tool(ToolResult),
}

/// A reply of the model, as the transcript keeps it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// The text of the reply; empty when it held tool calls alone.
    #[serde(default)]
    pub content: String,
    /// Reasoning the provider returned beside the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The tools the model asked for, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// What the provider of this reply wants to see again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_data: Option<ProviderData>,
}

/// What a provider needs to get back with one of its replies, as it sent it: signatures of reasoning,
/// for one. It goes back to the same provider alone; to any other it means nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderData {
    /// The protocol it belongs to, such as `anthropic`.
    pub provider: String,
    /// What was sent.
    pub data: Value,
}

/// The model's request to run a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Ties the call to its result; unique in a transcript.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments; empty where what the model sent could not be read.
    pub arguments: Arguments,
}

/// The arguments of a tool call: always a JSON object.
///
/// Cloning is cheap, since clones share one object. It dereferences to the object:
///
/// ```
/// use agent_core::Arguments;
/// use serde_json::json;
///
/// let arguments: Arguments = [("path".to_owned(), json!("index.md"))].into_iter().collect();
/// assert_eq!(arguments["path"], "index.md");
/// assert_eq!(arguments.to_string(), r#"{"path":"index.md"}"#);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(from = "Map<String, Value>")]
pub struct Arguments(Arc<Map<String, Value>>);

impl Serialize for Arguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Deref for Arguments {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl From<Map<String, Value>> for Arguments {
    fn from(map: Map<String, Value>) -> Self {
        Self(Arc::new(map))
    }
}

impl FromIterator<(String, Value)> for Arguments {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(entries: I) -> Self {
        Map::from_iter(entries).into()
    }
}

/// Compact JSON.
impl std::fmt::Display for Arguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = serde_json::to_string(&*self.0).map_err(|_| std::fmt::Error)?;
        f.write_str(&text)
    }
}

/// What goes back to the model for one tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The id of the call this answers.
    pub call_id: String,
    /// The name of the tool that was called.
    pub name: String,
    /// The text the model reads; `error(KIND): ..` where the call failed.
    pub content: String,
    /// Whether the call failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
}
