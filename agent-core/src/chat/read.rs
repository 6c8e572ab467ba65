//! Reading replies: liberal, since servers and people leave out what they can.

use serde::Deserialize;
use serde_json::Value;

use crate::model::{Reply, RequestedCall};

/// Why a text is no list of replies or of messages.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ChatFormatError(pub(super) Problem);

#[derive(Debug, thiserror::Error)]
pub(super) enum Problem {
    #[error("not a JSON list of assistant messages: {0}")]
    Json(serde_json::Error),
    #[error("message {place} has the role `{role}`; a script holds assistant messages alone")]
    Role { place: usize, role: String },
    #[error("not a JSON list of messages in Chat Completions form: {0}")]
    Messages(serde_json::Error),
}

/// Reads a list of assistant messages as the replies of a model.
///
/// ```
/// let replies = agent_core::chat::replies(
///     r#"[{"role": "assistant", "tool_calls": [{"id": "c1", "type": "function",
///            "function": {"name": "add", "arguments": "{\"a\": 1}"}}]},
///         {"role": "assistant", "content": "One."}]"#,
/// )?;
/// assert_eq!(replies[0].tool_calls[0].name, "add");
/// assert_eq!(replies[1].text, "One.");
/// # Ok::<_, agent_core::chat::ChatFormatError>(())
/// ```
///
/// # Errors
///
/// The text is no such list.
pub fn replies(json: &str) -> Result<Vec<Reply>, ChatFormatError> {
    let messages: Vec<Assistant> =
        serde_json::from_str(json).map_err(|error| ChatFormatError(Problem::Json(error)))?;
    messages.into_iter().enumerate().map(|(index, message)| message.into_reply(index + 1)).collect()
}

#[derive(Deserialize)]
struct Assistant {
    role: Option<String>,
    content: Option<String>,
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<Call>>,
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

impl Assistant {
    fn into_reply(self, place: usize) -> Result<Reply, ChatFormatError> {
        if let Some(role) = self.role.filter(|role| role != "assistant") {
            return Err(ChatFormatError(Problem::Role { place, role }));
        }
        let mut reply = Reply::text(self.content.unwrap_or_default());
        reply.reasoning = self.reasoning_content;
        reply.tool_calls =
            self.tool_calls.unwrap_or_default().into_iter().map(RequestedCall::from).collect();
        Ok(reply)
    }
}

impl From<Call> for RequestedCall {
    fn from(Call { id, function: Function { name, arguments } }: Call) -> Self {
        Self { id: id.unwrap_or_default(), name, arguments }
    }
}
