//! Reading a whole reply, and what whole and streamed replies have in common.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::block::{self, Block};
use crate::http::{self, reported};
use crate::model::{FinishReason, ModelError, Reply};
use crate::usage::Usage;

/// Reads the body of a whole reply.
pub(super) fn reply(body: &str) -> Result<Reply, ModelError> {
    #[derive(Deserialize)]
    struct Body {
        content: Option<Vec<Box<RawValue>>>,
        stop_reason: Option<String>,
        usage: Option<Counted>,
        error: Option<Value>,
    }
    let body: Body = http::json("the reply", body)?;
    if let Some(error) = body.error.and_then(|error| reported(&json!({"error": error}))) {
        return Err(error.in_body());
    }
    let Some(content) = body.content else {
        return Err(http::unreadable("the reply", "it has no `content`"));
    };
    let blocks = content.iter().map(|raw| Block::read(raw)).collect::<Result<_, _>>()?;
    Ok(ended(blocks, body.stop_reason.as_deref(), body.usage.unwrap_or_default()))
}

/// A reply of these blocks that ended for this reason.
pub(super) fn ended(blocks: Vec<Block>, stop: Option<&str>, usage: Counted) -> Reply {
    let mut reply = block::reply(blocks).with_usage(usage.into());
    reply.finish = match stop {
        Some("max_tokens" | "model_context_window_exceeded") => FinishReason::Length,
        Some("refusal") => FinishReason::Refusal,
        Some("pause_turn") => FinishReason::Pause,
        _ => FinishReason::Stop,
    };
    if reply.finish == FinishReason::Refusal {
        // The model broke off: its calls are not meant, and may not even be whole.
        reply.tool_calls.clear();
        reply.provider_data = None;
    }
    reply
}

/// Tokens as the provider counts them: `input_tokens` leaves out what its cache was read or written for.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct Counted {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

impl Counted {
    /// Takes over the counts of a later event, which are totals.
    pub(super) fn update(&mut self, later: Self) {
        let newer = |count: &mut Option<u64>, later: Option<u64>| *count = later.or(*count);
        newer(&mut self.input_tokens, later.input_tokens);
        newer(&mut self.cache_creation_input_tokens, later.cache_creation_input_tokens);
        newer(&mut self.cache_read_input_tokens, later.cache_read_input_tokens);
        newer(&mut self.output_tokens, later.output_tokens);
    }
}

impl From<Counted> for Usage {
    fn from(counted: Counted) -> Self {
        let cached_tokens = counted.cache_read_input_tokens.unwrap_or_default();
        let uncached = [counted.input_tokens, counted.cache_creation_input_tokens];
        Self {
            prompt_tokens: uncached.into_iter().flatten().fold(cached_tokens, u64::saturating_add),
            completion_tokens: counted.output_tokens.unwrap_or_default(),
            cached_tokens,
        }
    }
}
