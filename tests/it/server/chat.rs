//! What the server refuses of Chat Completions.

use serde_json::{Value, json};

use super::{CHAT, Case, each_is_refused};

/// A request in which everything is used and all is well.
pub(super) fn request() -> Value {
    json!({
        "model": "m",
        "temperature": 0,
        "max_tokens": 100,
        "stream": false,
        "parallel_tool_calls": true,
        "tool_choice": "auto",
        "tools": [{"type": "function", "function": {
            "name": "add",
            "description": "Add.",
            "strict": true,
            "parameters": {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/N"}},
                "required": ["a"],
                "additionalProperties": false,
                "$defs": {"N": {"type": "number"}},
            },
        }}],
        "messages": [
            {"role": "system", "content": "Count."},
            {"role": "user", "content": [{"type": "text", "text": "1 + 1?"}]},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "add", "arguments": "{\"a\":1}"}},
                {"id": "b", "type": "function", "function": {"name": "add", "arguments": "{}"}},
            ]},
            {"role": "tool", "tool_call_id": "a", "content": "1"},
            {"role": "tool", "tool_call_id": "b", "content": ""},
            {"role": "assistant", "content": "2"},
            {"role": "user", "content": "Sure?"},
        ],
    })
}

#[test]
fn it_refuses_a_chat_request_by_each_rule() {
    let call = |id: &str, name: &str, arguments: &str| {
        let function = json!({"name": name, "arguments": arguments});
        json!({"id": id, "type": "function", "function": function})
    };
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": "1"});
    let tool = request()["tools"][0].clone();
    let cases: &[Case] = &[
        ("/model", json!(null), "missing field `model`"),
        ("/model", json!(""), "you must provide a model"),
        ("/top_k", json!(1), "unknown field `top_k`"),
        ("/temperature", json!(2.5), "not from 0 to 2"),
        ("/max_completion_tokens", json!(1), "both set"),
        ("/max_tokens", json!(0), "at least 1"),
        ("/stream_options", json!({"include_usage": true}), "only allowed when stream is true"),
        ("/tools", json!([]), "from 1 to 128"),
        ("/tools", json!(vec![tool.clone(); 129]), "from 1 to 128"),
        ("/tools/-", tool, "must be unique"),
        ("/tools/0/type", json!("tool"), "cannot be of type `tool`"),
        ("/tools/0/function/name", json!("docs.read"), "does not match"),
        ("/tools/0/function/name", json!("n".repeat(65)), "does not match"),
        ("/tools/0/function/description", json!("d".repeat(1025)), "is too long"),
        ("/tools/0/function/extra", json!(1), "unknown field `extra`"),
        ("/tools/0/function/parameters", json!({}), "must be of type object"),
        ("/tools/0/function/parameters/properties", json!([]), "must be an object"),
        ("/tools/0/function/parameters/anyOf", json!([]), "anyOf at its root"),
        ("/tools/0/function/parameters/$defs", json!(null), "leads nowhere"),
        ("/tools/0/function/parameters/additionalProperties", json!(true), "must be false"),
        ("/tools/0/function/parameters/required", json!([]), "must list every property"),
        ("/tools", json!(null), "parallel_tool_calls is only allowed when tools"),
        ("/tool_choice", json!("any"), "is none of the tools"),
        ("/messages", json!([]), "must not be empty"),
        ("/messages/0/role", json!("robot"), "unknown variant `robot`"),
        ("/messages/0/content", json!(""), "content of a message must not be empty"),
        ("/messages/1/content", json!([]), "content of a message must not be empty"),
        ("/messages/1/content", json!(null), "missing field `content`"),
        ("/messages/2/tool_calls", json!([]), "[] is too short"),
        ("/messages/2/tool_calls", json!(null), "either content or tool_calls"),
        ("/messages/2/reasoning_content", json!("hm"), "unknown field `reasoning_content`"),
        ("/messages/2/tool_calls/0", call("", "add", "{}"), "id of a call is empty"),
        ("/messages/2/tool_calls/0", call("b", "add", "{}"), "occurs twice"),
        ("/messages/2/tool_calls/0", call("a", "a b", "{}"), "does not match"),
        ("/messages/2/tool_calls/0", call("a", "add", ""), "invalid tool call arguments"),
        ("/messages/2/tool_calls/0", call("a", "add", "{\"a\":"), "invalid tool call arguments"),
        ("/messages/2/tool_calls/0", call("a", "add", "[1]"), "invalid tool call arguments"),
        ("/messages/2/tool_calls/0", call("a", "add", r#"{"a":"\ud83d"}"#), "invalid tool call"),
        ("/messages/2/tool_calls/0/type", json!("tool"), "cannot be of type `tool`"),
        ("/messages/2/tool_calls/0/function/arguments", json!({}), "invalid type: map"),
        ("/messages/2/tool_calls/0/index", json!(0), "unknown field `index`"),
        ("/messages/3/content", json!(null), "missing field `content`"),
        ("/messages/3/name", json!("add"), "unknown field `name`"),
        ("/messages/3", json!(null), "a result each, in their order"),
        ("/messages/3", result("c"), "a result each, in their order"),
        ("/messages/4", result("a"), "a result each, in their order"),
        ("/messages/5", result("c"), "a result each, in their order"),
        ("/messages/1", result("c"), "must follow a message with tool_calls"),
        ("/messages/5/content", json!(""), "either content or tool_calls"),
    ];
    each_is_refused(CHAT, &request(), cases);
}
