//! What a model replies.

use serde::Serialize;
use serde_json::Value;

use crate::message::ProviderData;
use crate::usage::Usage;

/// A whole reply of a model.
///
/// ```
/// use agent_core::Reply;
/// use serde_json::json;
///
/// let reply = Reply::call("add", json!({"a": 1, "b": 2})).and_call("add", json!({"a": 3, "b": 4}));
/// assert_eq!(reply.tool_calls.len(), 2);
/// assert_eq!(Reply::text("7").text, "7");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Reply {
    /// Its text.
    pub text: String,
    /// Reasoning the provider returned beside the text.
    pub reasoning: Option<String>,
    /// The tools it asks for.
    pub tool_calls: Vec<RequestedCall>,
    /// What the provider wants to see again with this reply.
    pub provider_data: Option<ProviderData>,
    /// How it ended.
    pub finish: FinishReason,
    /// The tokens it took.
    pub usage: Usage,
}

/// A tool call as the model sent it; nothing about it has been checked.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestedCall {
    /// The id, empty where the provider gave none.
    pub id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments: mostly text that encodes an object, from some providers the object itself.
    pub arguments: Value,
}

/// How a reply ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// The model was done. Whether it asks for tools is told by its calls alone.
    #[default]
    Stop,
    /// The limit of tokens cut it off.
    Length,
    /// A filter of the provider cut it off.
    ContentFilter,
    /// The model refused to answer.
    Refusal,
    /// The provider paused; sent the transcript again, the model goes on.
    Pause,
}

impl FinishReason {
    /// Whether the reply ends before its end.
    #[must_use]
    pub fn is_cut(self) -> bool {
        !matches!(self, Self::Stop)
    }
}

impl Reply {
    /// A reply of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A reply that asks for a tool.
    pub fn call(name: impl Into<String>, arguments: Value) -> Self {
        Self::default().and_call(name, arguments)
    }

    /// The reply with one more call.
    #[must_use]
    pub fn and_call(self, name: impl Into<String>, arguments: Value) -> Self {
        self.and_call_with_id("", name, arguments)
    }

    /// The reply with one more call of this id.
    #[must_use]
    pub fn and_call_with_id(
        mut self,
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: Value,
    ) -> Self {
        self.tool_calls.push(RequestedCall { id: id.into(), name: name.into(), arguments });
        self
    }

    /// The reply with this text, which may stand beside calls.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// The reply, ended in this way.
    #[must_use]
    pub fn with_finish(mut self, finish: FinishReason) -> Self {
        self.finish = finish;
        self
    }

    /// The reply with what its provider wants to see again.
    #[must_use]
    pub fn with_provider_data(mut self, data: ProviderData) -> Self {
        self.provider_data = Some(data);
        self
    }

    /// The reply, with the tokens it took.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }
}
