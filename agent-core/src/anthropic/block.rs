//! The content blocks of a reply, as they come and as they go back.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::PROVIDER;
use crate::http;
use crate::message::ProviderData;
use crate::model::{Delta, ModelError, Reply, RequestedCall};

/// One content block, as far as it has come.
#[derive(Debug)]
pub(super) enum Block {
    Text(String),
    Thinking {
        text: String,
        signature: String,
    },
    Call {
        id: String,
        name: String,
        input: Input,
    },
    /// Means something to the provider alone, which wants it back as it came.
    Other {
        block: Map<String, Value>,
        /// Of its input.
        pieces: String,
    },
}

/// The arguments of a call: JSON, which is read when the reply is whole.
#[derive(Debug, Default)]
pub(super) struct Input {
    /// What the block began with: the whole of it, or `{}` where pieces follow.
    given: String,
    pieces: String,
}

impl Input {
    fn into_json(self) -> String {
        if self.pieces.trim().is_empty() { self.given } else { self.pieces }
    }
}

/// What an event adds, to a block or to the message as a whole; also what a block begins with.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Piece {
    pub(super) stop_reason: Option<String>,
    text: Option<String>,
    thinking: Option<String>,
    signature: Option<String>,
    partial_json: Option<String>,
}

#[derive(Deserialize)]
struct Kind {
    r#type: String,
}

#[derive(Deserialize)]
struct Call {
    id: Option<String>,
    name: Option<String>,
    /// Stays text: what is wrong with it concerns this call alone.
    input: Option<Box<RawValue>>,
}

fn part_of<T: DeserializeOwned>(raw: &RawValue) -> Result<T, ModelError> {
    http::json("a block of the reply", raw.get())
}

impl Block {
    /// Reads a block.
    pub(super) fn read(raw: &RawValue) -> Result<Self, ModelError> {
        let Kind { r#type } = part_of(raw)?;
        Ok(match r#type.as_str() {
            "text" => {
                let Piece { text, .. } = part_of(raw)?;
                Self::Text(text.unwrap_or_default())
            }
            "thinking" => {
                let Piece { thinking, signature, .. } = part_of(raw)?;
                let (text, signature) =
                    (thinking.unwrap_or_default(), signature.unwrap_or_default());
                Self::Thinking { text, signature }
            }
            "tool_use" => {
                let Call { id, name, input } = part_of(raw)?;
                let given = input.map(|raw| raw.get().to_owned()).unwrap_or_default();
                let input = Input { given, pieces: String::new() };
                Self::Call { id: id.unwrap_or_default(), name: name.unwrap_or_default(), input }
            }
            _ => Self::Other { block: part_of(raw)?, pieces: String::new() },
        })
    }

    /// What it begins with and can be shown.
    pub(super) fn begun(&self) -> Option<Delta<'_>> {
        match self {
            Self::Text(text) => Some(Delta::Text(text)),
            Self::Thinking { text, .. } => Some(Delta::Reasoning(text)),
            _ => None,
        }
    }

    /// Adds a piece, and returns what can be shown of it. What does not go with the kind of the
    /// block is left out.
    pub(super) fn add<'p>(&mut self, piece: &'p Piece) -> Option<Delta<'p>> {
        match self {
            Self::Text(text) => {
                let piece = piece.text.as_deref()?;
                text.push_str(piece);
                Some(Delta::Text(piece))
            }
            Self::Thinking { text, signature } => {
                signature.push_str(piece.signature.as_deref().unwrap_or_default());
                let piece = piece.thinking.as_deref()?;
                text.push_str(piece);
                Some(Delta::Reasoning(piece))
            }
            Self::Call { input: Input { pieces, .. }, .. } | Self::Other { pieces, .. } => {
                pieces.push_str(piece.partial_json.as_deref().unwrap_or_default());
                None
            }
        }
    }

    /// The block as it goes back. The calls of a transcript may have got other ids, so that a call
    /// only keeps its place.
    fn echo(&self) -> Option<Value> {
        match self {
            Self::Text(text) => Some(json!({"type": "text", "text": text})),
            Self::Thinking { signature, .. } if signature.is_empty() => None,
            Self::Thinking { text, signature } => {
                Some(json!({"type": "thinking", "thinking": text, "signature": signature}))
            }
            Self::Call { .. } => Some(json!({"type": "tool_use"})),
            Self::Other { block, pieces } => {
                let mut block = block.clone();
                if let Ok(input) = serde_json::from_str(pieces) {
                    block.insert("input".to_owned(), input);
                }
                Some(block.into())
            }
        }
    }
}

/// What the provider wants to see again: the blocks, where they say more than text and calls do.
fn provider_data(blocks: &[Block]) -> Option<ProviderData> {
    let more = blocks.iter().any(|block| match block {
        Block::Text(_) | Block::Call { .. } => false,
        Block::Thinking { signature, .. } => !signature.is_empty(),
        Block::Other { .. } => true,
    });
    more.then(|| ProviderData {
        provider: PROVIDER.to_owned(),
        data: blocks.iter().filter_map(Block::echo).collect(),
    })
}

/// A reply of these blocks.
pub(super) fn reply(blocks: Vec<Block>) -> Reply {
    let mut reply = Reply { provider_data: provider_data(&blocks), ..Reply::default() };
    let mut reasoning = String::new();
    for block in blocks {
        match block {
            Block::Text(text) => reply.text.push_str(&text),
            Block::Thinking { text, .. } => reasoning.push_str(&text),
            Block::Call { id, name, input } => {
                let arguments = Value::String(input.into_json());
                reply.tool_calls.push(RequestedCall { id, name, arguments });
            }
            Block::Other { .. } => {}
        }
    }
    reply.reasoning = Some(reasoning).filter(|text| !text.is_empty());
    reply
}
