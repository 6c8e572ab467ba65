//! In what providers differ, each as a word in a profile.

use std::num::NonZeroU64;

use serde::{Deserialize, Deserializer, Serialize};

use crate::schema::Dialect;

/// The protocols.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Protocol {
    /// OpenAI's Chat Completions.
    #[default]
    Chat,
    /// Anthropic's Messages.
    Anthropic,
}

/// Where a provider holds its replies to a JSON Schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StructuredOutput {
    /// Nowhere, or it depends on the model.
    #[default]
    Never,
    /// In requests without tools. Servers that constrain each token to the schema leave a model no
    /// way to call a tool.
    WithoutTools,
    /// In requests with tools too, where the model may call them first.
    Always,
}

/// The names of the limit of a reply's tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TokenField {
    /// What most servers take.
    #[default]
    MaxTokens,
    /// What OpenAI takes.
    MaxCompletionTokens,
}

/// Which reasoning goes back to the provider that sent it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EchoReasoning {
    /// None.
    #[default]
    Never,
    /// That of replies with tool calls, also when it is empty, as `reasoning_content`.
    WithCalls,
}

/// What ids of tool calls a provider takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IdRule {
    /// Any.
    #[default]
    Any,
    /// At most 40 letters, digits, `_` and `-`.
    Forty,
    /// Exactly nine letters and digits.
    Nine,
}

/// A dialect as it is written in a profile.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Dialect", rename_all = "snake_case")]
pub(super) enum DialectName {
    JsonSchema,
    #[serde(rename = "openai_strict")]
    OpenAiStrict,
    Gemini,
}

/// A context window as it is written in a profile.
pub(super) fn window<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    Ok(Option::<NonZeroU64>::deserialize(from)?.map(NonZeroU64::get))
}
