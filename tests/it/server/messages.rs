//! What the server refuses of Anthropic's Messages.

use serde_json::{Value, json};

use super::{Case, MESSAGES, changed, each_is_refused, friendly, post};

/// A request in which everything is used and all is well.
pub(super) fn request() -> Value {
    let cached = json!({"type": "ephemeral"});
    json!({
        "model": "m",
        "max_tokens": 100,
        "temperature": 0,
        "stream": false,
        "system": [{"type": "text", "text": "Count.", "cache_control": cached}],
        "tool_choice": {"type": "auto"},
        "tools": [{
            "name": "add",
            "description": "Add.",
            "input_schema": {"type": "object", "properties": {"a": {"type": "number"}}},
            "cache_control": cached,
        }],
        "messages": [
            {"role": "user", "content": "1 + 1?"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "redacted_thinking", "data": "d"},
                {"type": "text", "text": "Well."},
                {"type": "tool_use", "id": "a", "name": "add", "input": {"a": 1}},
                {"type": "tool_use", "id": "b", "name": "add", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                {"type": "tool_result", "tool_use_id": "b", "content": "no", "is_error": true},
                {"type": "text", "text": "Go on.", "cache_control": cached},
            ]},
        ],
    })
}

#[test]
fn it_refuses_a_messages_request_by_each_rule() {
    let result = |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": "1"});
    let text = |text: &str| json!({"type": "text", "text": text});
    let marked = json!({"type": "text", "text": "t", "cache_control": {"type": "ephemeral"}});
    let apart = json!([
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": [
            {"type": "tool_use", "id": "a", "name": "add", "input": {}},
            {"type": "tool_use", "id": "b", "name": "add", "input": {}},
        ]},
        {"role": "user", "content": [result("a")]},
        {"role": "user", "content": [result("b")]},
    ]);
    let tool = request()["tools"][0].clone();
    let cases: &[Case] = &[
        ("/model", json!(""), "must not be empty"),
        ("/max_tokens", json!(null), "missing field `max_tokens`"),
        ("/max_tokens", json!(0), "at least 1"),
        ("/top", json!(1), "unknown field `top`"),
        ("/temperature", json!(1.5), "not from 0 to 1"),
        ("/system", json!(""), "non-whitespace"),
        ("/system/0", result("a"), "only text blocks"),
        ("/system", json!([marked, marked, marked]), "at most 4 blocks"),
        ("/system/0/cache_control/type", json!("eternal"), "only ephemeral"),
        ("/tools/-", tool, "must be unique"),
        ("/tools/0/name", json!("docs.read"), "does not match"),
        ("/tools/0/name", json!("n".repeat(129)), "does not match"),
        ("/tools/0/input_schema", json!({}), "must be of type object"),
        ("/tools/0/input_schema/oneOf", json!([]), "oneOf at its root"),
        ("/tools/0/parameters", json!({}), "unknown field `parameters`"),
        ("/tools", json!(null), "only be specified while providing tools"),
        ("/tool_choice", json!({"type": "required"}), "is none of the tools"),
        ("/messages", json!([]), "must be of the user"),
        ("/messages/0/role", json!("assistant"), "must be of the user"),
        ("/messages/0/role", json!("system"), "unknown variant `system`"),
        ("/messages/0/content", json!(""), "non-whitespace"),
        ("/messages/0/content", json!([]), "must not be an empty list"),
        ("/messages/0/content", json!([text(" \n")]), "non-whitespace"),
        ("/messages/0/content", json!([result("x")]), "immediately after"),
        ("/messages/1/content/0/signature", json!(""), "signature is invalid"),
        ("/messages/1/content/0/signature", json!(null), "did not match any variant"),
        ("/messages/1/content/1/data", json!(""), "data is invalid"),
        ("/messages/1/content/3/input", json!("{}"), "did not match any variant"),
        ("/messages/1/content/3/name", json!("a b"), "does not match"),
        ("/messages/1/content/3/id", json!("a b"), "does not match"),
        ("/messages/1/content/3/id", json!("b"), "occurs twice"),
        ("/messages/1/content/3", json!(null), "immediately after"),
        ("/messages/1/content/-", result("a"), "immediately after"),
        ("/messages/2", json!(null), "must be followed by a result each"),
        ("/messages/2/content/0", json!(null), "immediately after"),
        ("/messages/2/content/0", result("b"), "immediately after"),
        ("/messages/2/content/-", text("First."), "immediately after"),
        ("/messages/2/content/2", result("c"), "immediately after"),
        ("/messages/2/content/0/content", json!([]), "must not be an empty list"),
        ("/messages/2/content/1/content", json!(""), "content cannot be empty if is_error"),
        ("/messages", apart, "immediately after"),
    ];
    each_is_refused(MESSAGES, &request(), cases);
    let late = json!([text("a"), result("x")]);
    let body = changed(request(), "/messages/0/content", &late);
    let (_, answer) = post(&friendly(), MESSAGES, body.to_string().as_bytes());
    assert!(answer.contains("tool_result blocks must come before any text"), "{answer}");
    let misplaced = json!([{"type": "tool_use", "id": "x", "name": "add", "input": {}}]);
    let body = changed(request(), "/messages/0/content", &misplaced);
    let (_, answer) = post(&friendly(), MESSAGES, body.to_string().as_bytes());
    assert!(answer.contains("a message of the User cannot hold such a block"), "{answer}");
}
