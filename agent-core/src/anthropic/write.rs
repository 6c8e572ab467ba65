//! Writing messages: each once, as the blocks it adds to what is sent.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::PROVIDER;
use crate::message::{Arguments, AssistantMessage, Message, ToolCall, ToolResult};

/// Stands where something has to be said and nothing was.
const EMPTY: &str = "(empty)";

/// Who speaks, on the wire: tool results are the user's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    System,
    User,
    Assistant,
}

/// The content blocks of one message, as they are sent.
#[derive(Debug)]
pub(super) struct Encoded {
    pub(super) role: Role,
    /// JSON objects with commas between; nothing, where the message has nothing to say.
    pub(super) blocks: String,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'m> {
    Text {
        text: &'m str,
    },
    ToolUse {
        id: Cow<'m, str>,
        name: Cow<'m, str>,
        input: &'m Arguments,
    },
    ToolResult {
        tool_use_id: Cow<'m, str>,
        content: &'m str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
    #[serde(untagged)]
    Echo(&'m Value),
}

impl Encoded {
    pub(super) fn of(message: &Message) -> serde_json::Result<Self> {
        let (role, blocks) = match message {
            Message::System { content } => (Role::System, text(content).into_iter().collect()),
            // A question without text is a message all the same, and none may be empty.
            Message::User { content } => {
                (Role::User, vec![text(content).unwrap_or(Block::Text { text: EMPTY })])
            }
            Message::Assistant(reply) => (Role::Assistant, assistant(reply)),
            Message::Tool(result) => (Role::User, vec![answer(result)]),
        };
        let blocks = blocks.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { role, blocks: blocks.join(",") })
    }
}

/// A block of text, of which there may be none without any.
fn text(text: &str) -> Option<Block<'_>> {
    (!text.trim().is_empty()).then_some(Block::Text { text })
}

fn assistant(message: &AssistantMessage) -> Vec<Block<'_>> {
    let mut calls = message.tool_calls.iter().map(call);
    let own = message.provider_data.as_ref().filter(|data| data.provider == PROVIDER);
    let mut blocks: Vec<_> = match own.and_then(|own| own.data.as_array()) {
        Some(echoes) => echoes.iter().filter_map(|block| echo(block, &mut calls)).collect(),
        None => text(&message.content).into_iter().collect(),
    };
    blocks.extend(calls);
    blocks
}

/// A block of an earlier reply. Thinking without its signature would be refused.
fn echo<'m>(block: &'m Value, calls: &mut impl Iterator<Item = Block<'m>>) -> Option<Block<'m>> {
    let field = |name: &str| block.get(name).and_then(Value::as_str).unwrap_or_default();
    match field("type") {
        "tool_use" => calls.next(),
        "text" if field("text").trim().is_empty() => None,
        "thinking" if field("signature").is_empty() => None,
        _ => Some(Block::Echo(block)),
    }
}

fn answer(ToolResult { call_id, content, is_error, .. }: &ToolResult) -> Block<'_> {
    // An error without a word is refused.
    let content = if *is_error && content.trim().is_empty() { EMPTY } else { content };
    Block::ToolResult { tool_use_id: wire_id(call_id), content, is_error: *is_error }
}

fn call(ToolCall { id, name, arguments }: &ToolCall) -> Block<'_> {
    Block::ToolUse { id: wire_id(id), name: wire_name(name), input: arguments }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// A call id as the provider takes it. Ids of other providers hold characters that it refuses; two
/// that differ must stay different.
fn wire_id(id: &str) -> Cow<'_, str> {
    if !id.is_empty() && id.chars().all(is_plain) {
        return Cow::Borrowed(id);
    }
    let hex: String = id.bytes().map(|byte| format!("{byte:02x}")).collect();
    Cow::Owned(format!("hex_{hex}"))
}

/// A tool name as the provider takes it. Those of tools are good; those a model made up need not be.
pub(super) fn wire_name(name: &str) -> Cow<'_, str> {
    const LONGEST: usize = 128;
    if (1..=LONGEST).contains(&name.len()) && name.chars().all(is_plain) {
        return Cow::Borrowed(name);
    }
    let plain = |c| if is_plain(c) { c } else { '_' };
    Cow::Owned(if name.is_empty() {
        "_".to_owned()
    } else {
        name.chars().take(LONGEST).map(plain).collect()
    })
}
