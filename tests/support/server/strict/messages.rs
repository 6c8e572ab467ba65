//! The rules of Anthropic's Messages.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::shared::{Checked, Ids, demand, name, paired, schema, unique_names};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    model: String,
    max_tokens: u32,
    messages: Vec<Message>,
    system: Option<Content>,
    tools: Option<Vec<Tool>>,
    tool_choice: Option<Value>,
    #[serde(rename = "stream")]
    _stream: Option<bool>,
    temperature: Option<f64>,
    #[serde(rename = "thinking")]
    _thinking: Option<Value>,
    #[serde(rename = "metadata")]
    _metadata: Option<Value>,
    #[serde(rename = "stop_sequences")]
    _stop_sequences: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    role: Role,
    content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    User,
    Assistant,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Block {
    Text {
        text: String,
        cache_control: Option<CacheControl>,
    },
    ToolUse {
        id: String,
        name: String,
        #[serde(rename = "input")]
        _input: Map<String, Value>,
        cache_control: Option<CacheControl>,
    },
    ToolResult {
        tool_use_id: String,
        content: Option<Content>,
        is_error: Option<bool>,
        cache_control: Option<CacheControl>,
    },
    Thinking {
        #[serde(rename = "thinking")]
        _thinking: String,
        signature: String,
    },
    RedactedThinking {
        data: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CacheControl {
    r#type: String,
    ttl: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    name: String,
    #[serde(rename = "description")]
    _description: Option<String>,
    input_schema: Value,
    #[serde(rename = "strict")]
    _strict: Option<bool>,
    cache_control: Option<CacheControl>,
}

pub(super) fn check(body: &[u8]) -> Checked {
    let request: Request =
        serde_json::from_slice(body).map_err(|error| format!("invalid request: {error}"))?;
    settings(&request)?;
    tools(&request)?;
    breakpoints(&request)?;
    conversation(&request.messages)
}

/// Settings are in range.
fn settings(request: &Request) -> Checked {
    demand!(!request.model.is_empty(), "model: must not be empty");
    demand!(request.max_tokens > 0, "max_tokens: must be at least 1");
    let temperature = request.temperature.unwrap_or_default();
    demand!((0.0..=1.0).contains(&temperature), "temperature: {temperature} is not from 0 to 1");
    request.system.as_ref().map_or(Ok(()), |system| {
        system.says_something()?;
        let texts = system.blocks().iter().all(|block| matches!(block, Block::Text { .. }));
        demand!(texts, "system: only text blocks are allowed");
        Ok(())
    })
}

/// Each tool has a name and an object of parameters; a choice needs tools.
fn tools(request: &Request) -> Checked {
    let tools = request.tools.as_deref().unwrap_or_default();
    for tool in tools {
        name(&tool.name, 128)?;
        schema(&tool.name, &tool.input_schema)?;
    }
    unique_names(tools.iter().map(|tool| tool.name.as_str()))?;
    let Some(choice) = &request.tool_choice else { return Ok(()) };
    demand!(!tools.is_empty(), "tool_choice: may only be specified while providing tools");
    let known = match choice["type"].as_str() {
        Some("auto" | "any" | "none") => true,
        Some("tool") => tools.iter().any(|tool| choice["name"] == tool.name),
        _ => false,
    };
    demand!(known, "tool_choice: {choice} is none of the tools");
    Ok(())
}

/// At most four blocks are marked for the prompt cache.
fn breakpoints(request: &Request) -> Checked {
    let contents = request.messages.iter().map(|message| &message.content).chain(&request.system);
    let blocks = contents.flat_map(Content::blocks).filter_map(Block::cache_control);
    let tools = request.tools.iter().flatten().filter_map(|tool| tool.cache_control.as_ref());
    let marks: Vec<&CacheControl> = blocks.chain(tools).collect();
    demand!(marks.len() <= 4, "at most 4 blocks may have cache_control, found {}", marks.len());
    let known = |mark: &&CacheControl| {
        mark.r#type == "ephemeral" && matches!(mark.ttl.as_deref(), None | Some("5m" | "1h"))
    };
    demand!(marks.iter().all(known), "cache_control: only ephemeral is known");
    Ok(())
}

/// The user speaks first; nothing said is empty; all results of a reply stand first in the one message
/// that follows it.
fn conversation(messages: &[Message]) -> Checked {
    demand!(
        messages.first().is_some_and(|message| message.role == Role::User),
        "messages: the first message must be of the user"
    );
    let mut ids = Ids::default();
    let mut pending: Vec<&str> = Vec::new();
    for Message { role, content } in messages {
        content.says_something()?;
        let blocks = content.blocks();
        let results: Vec<&str> = blocks.iter().map_while(Block::answers).collect();
        paired(&pending, &results).map_err(|error| {
            format!("tool_use ids were found without tool_result blocks immediately after: {error}")
        })?;
        pending.clear();
        for block in &blocks[results.len()..] {
            demand!(block.answers().is_none(), "tool_result blocks must come before any text");
            demand!(block.fits(*role), "a message of the {role:?} cannot hold such a block");
            block.valid()?;
            if let Block::ToolUse { id, name: tool, .. } = block {
                name(tool, 128)?;
                name(id, usize::MAX)?;
                ids.add(id)?;
                pending.push(id);
            }
        }
        blocks[..results.len()].iter().try_for_each(Block::valid)?;
    }
    paired(&pending, &[])
}

impl Block {
    fn answers(&self) -> Option<&str> {
        match self {
            Self::ToolResult { tool_use_id, .. } => Some(tool_use_id),
            _ => None,
        }
    }

    fn fits(&self, role: Role) -> bool {
        match self {
            Self::Text { .. } => true,
            Self::ToolResult { .. } => role == Role::User,
            _ => role == Role::Assistant,
        }
    }

    fn cache_control(&self) -> Option<&CacheControl> {
        match self {
            Self::Text { cache_control, .. }
            | Self::ToolUse { cache_control, .. }
            | Self::ToolResult { cache_control, .. } => cache_control.as_ref(),
            _ => None,
        }
    }

    /// Texts, signatures and the content of errors are not empty.
    fn valid(&self) -> Checked {
        match self {
            Self::Thinking { signature, .. } => {
                demand!(!signature.is_empty(), "thinking: the signature is invalid");
            }
            Self::RedactedThinking { data } => {
                demand!(!data.is_empty(), "redacted_thinking: the data is invalid");
            }
            Self::ToolResult { content, is_error, .. } => match content {
                Some(Content::Text(text)) => demand!(
                    !text.is_empty() || *is_error != Some(true),
                    "tool_result: content cannot be empty if is_error is true"
                ),
                Some(blocks) => blocks.says_something()?,
                None => {}
            },
            Self::Text { .. } | Self::ToolUse { .. } => {}
        }
        Ok(())
    }
}

impl Content {
    fn blocks(&self) -> &[Block] {
        match self {
            Self::Text(_) => &[],
            Self::Blocks(blocks) => blocks,
        }
    }

    fn says_something(&self) -> Checked {
        let texts = match self {
            Self::Text(text) => vec![text.as_str()],
            Self::Blocks(blocks) => {
                demand!(!blocks.is_empty(), "content: must not be an empty list");
                let texts = blocks.iter().filter_map(|block| match block {
                    Block::Text { text, .. } => Some(text.as_str()),
                    _ => None,
                });
                texts.collect()
            }
        };
        let blank = texts.iter().any(|text| text.trim().is_empty());
        demand!(!blank, "text content blocks must contain non-whitespace text");
        Ok(())
    }
}
