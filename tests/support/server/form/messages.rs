//! Replies in the form of Anthropic's Messages.

use agent_core::model::{FinishReason, RequestedCall};
use agent_core::{Reply, Usage};
use serde_json::{Value, json};

use super::{call_id, halves, pieces};

pub(super) fn whole(reply: &Reply, asked: &Value) -> Value {
    let mut content = Vec::new();
    if let Some(reasoning) = &reply.reasoning {
        content.push(json!({"type": "thinking", "thinking": reasoning, "signature": SIGNATURE}));
    }
    if !reply.text.is_empty() {
        content.push(json!({"type": "text", "text": reply.text}));
    }
    for (n, call) in reply.tool_calls.iter().enumerate() {
        let id = call_id(&call.id, "toolu", asked, n);
        let input = serde_json::from_str(&arguments(call)).unwrap_or(json!({}));
        content.push(json!({"type": "tool_use", "id": id, "name": call.name, "input": input}));
    }
    let mut message = start(asked);
    message["content"] = content.into();
    message["stop_reason"] = finish(reply).into();
    message["usage"] = usage(reply.usage);
    message
}

pub(super) fn events(reply: &Reply, asked: &Value) -> String {
    let mut message = start(asked);
    message["usage"] = usage(Usage { completion_tokens: 0, ..reply.usage });
    let mut events = vec![json!({"type": "message_start", "message": message})];
    let mut index = 0;
    let mut block = |start: Value, deltas: Vec<Value>| {
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        events.extend(
            deltas.into_iter().map(
                |delta| json!({"type": "content_block_delta", "index": index, "delta": delta}),
            ),
        );
        events.push(json!({"type": "content_block_stop", "index": index}));
        index += 1;
    };
    if let Some(reasoning) = &reply.reasoning {
        let pieces =
            pieces(reasoning).map(|piece| json!({"type": "thinking_delta", "thinking": piece}));
        let signature = json!({"type": "signature_delta", "signature": SIGNATURE});
        block(
            json!({"type": "thinking", "thinking": "", "signature": ""}),
            pieces.chain([signature]).collect(),
        );
    }
    if !reply.text.is_empty() {
        let pieces = pieces(&reply.text).map(|piece| json!({"type": "text_delta", "text": piece}));
        block(json!({"type": "text", "text": ""}), pieces.collect());
    }
    for (n, call) in reply.tool_calls.iter().enumerate() {
        let id = call_id(&call.id, "toolu", asked, n);
        let halves = halves(&arguments(call)).map(str::to_owned);
        block(
            json!({"type": "tool_use", "id": id, "name": call.name, "input": {}}),
            halves.map(|half| json!({"type": "input_json_delta", "partial_json": half})).into(),
        );
    }
    let usage = json!({"output_tokens": reply.usage.completion_tokens});
    let delta = json!({"stop_reason": finish(reply), "stop_sequence": null});
    events.push(json!({"type": "ping"}));
    events.push(json!({"type": "message_delta", "delta": delta, "usage": usage}));
    events.push(json!({"type": "message_stop"}));
    let event = |event: &Value| {
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
    };
    events.iter().map(event).collect()
}

/// The signature of every thought.
const SIGNATURE: &str = "signature-of-the-server";

fn start(asked: &Value) -> Value {
    json!({
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked["model"],
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
    })
}

/// The input as text; a call that was sent none has none.
fn arguments(call: &RequestedCall) -> String {
    match &call.arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn finish(reply: &Reply) -> &'static str {
    match reply.finish {
        FinishReason::Length => "max_tokens",
        FinishReason::ContentFilter | FinishReason::Refusal => "refusal",
        FinishReason::Pause => "pause_turn",
        _ if reply.tool_calls.is_empty() => "end_turn",
        _ => "tool_use",
    }
}

/// Anthropic counts what it read from the cache apart from the rest of the prompt.
fn usage(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.prompt_tokens.saturating_sub(usage.cached_tokens),
        "cache_read_input_tokens": usage.cached_tokens,
        "cache_creation_input_tokens": 0,
        "output_tokens": usage.completion_tokens,
    })
}
