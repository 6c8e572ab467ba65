//! Replies in Chat Completions form.

use agent_core::model::{FinishReason, RequestedCall};
use agent_core::{Reply, Usage};
use serde_json::{Map, Value, json};

use super::{call_id, halves, pieces};

pub(super) fn whole(reply: &Reply, asked: &Value) -> Value {
    let mut message = Map::new();
    message.insert("role".into(), "assistant".into());
    let refused = reply.finish == FinishReason::Refusal;
    let text = (!reply.text.is_empty()).then_some(&reply.text);
    message.insert("content".into(), json!(text.filter(|_| !refused)));
    message.insert("refusal".into(), json!(text.filter(|_| refused)));
    if let Some(reasoning) = &reply.reasoning {
        message.insert("reasoning_content".into(), json!(reasoning));
    }
    if !reply.tool_calls.is_empty() {
        let calls = reply.tool_calls.iter().enumerate();
        let calls = calls.map(|(n, call)| {
            let function = json!({"name": call.name, "arguments": arguments(call)});
            json!({"id": call_id(&call.id, "call", asked, n), "type": "function", "function": function})
        });
        message.insert("tool_calls".into(), calls.collect());
    }
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": asked["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish(reply)}],
        "usage": usage(reply.usage),
    })
}

pub(super) fn events(reply: &Reply, asked: &Value) -> String {
    let mut events = String::new();
    let mut send = |choices: Value, usage: Value| {
        let chunk = json!({
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": asked["model"],
            "choices": choices,
            "usage": usage,
        });
        events += &format!("data: {chunk}\n\n");
    };
    for delta in deltas(reply, asked) {
        send(json!([{"index": 0, "delta": delta, "finish_reason": null}]), Value::Null);
    }
    send(json!([{"index": 0, "delta": {}, "finish_reason": finish(reply)}]), Value::Null);
    if asked["stream_options"]["include_usage"] == true {
        send(json!([]), usage(reply.usage));
    }
    events + "data: [DONE]\n\n"
}

fn deltas(reply: &Reply, asked: &Value) -> Vec<Value> {
    let mut deltas = vec![json!({"role": "assistant", "content": null})];
    let text = if reply.finish == FinishReason::Refusal { "refusal" } else { "content" };
    let reasoning = reply.reasoning.as_deref().unwrap_or_default();
    deltas.extend(pieces(reasoning).map(|piece| json!({"reasoning_content": piece})));
    deltas.extend(pieces(&reply.text).map(|piece| json!({text: piece})));
    for (n, call) in reply.tool_calls.iter().enumerate() {
        let id = call_id(&call.id, "call", asked, n);
        let function = json!({"name": call.name, "arguments": ""});
        deltas.push(json!({"tool_calls": [
            {"index": n, "id": id, "type": "function", "function": function}
        ]}));
        let halves = halves(&arguments(call)).map(str::to_owned);
        deltas
            .extend(halves.map(
                |half| json!({"tool_calls": [{"index": n, "function": {"arguments": half}}]}),
            ));
    }
    deltas
}

/// The arguments as text: their own, or the JSON of whatever else they are.
fn arguments(call: &RequestedCall) -> String {
    match &call.arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn finish(reply: &Reply) -> &'static str {
    match reply.finish {
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content_filter",
        _ if reply.tool_calls.is_empty() => "stop",
        _ => "tool_calls",
    }
}

fn usage(usage: Usage) -> Value {
    json!({
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
    })
}
