//! What is sent.

use serde_json::{Map, Value, json};

use crate::anthropic::body::Conversation;
use crate::message::{AssistantMessage, Message, ProviderData, ToolCall, ToolResult};
use crate::tool::Tool;
use crate::{tool, tools};

#[tool("Add a and b.", register = false)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tool("Tell the time.", register = false)]
fn now() -> &'static str {
    "noon"
}

fn system(content: &str) -> Message {
    Message::System { content: content.into() }
}

fn user(content: &str) -> Message {
    Message::User { content: content.into() }
}

fn assistant(content: &str) -> AssistantMessage {
    AssistantMessage { content: content.into(), ..AssistantMessage::default() }
}

fn calls(content: &str, calls: &[(&str, &str, Value)]) -> AssistantMessage {
    let call = |(id, name, arguments): &(&str, &str, Value)| ToolCall {
        id: (*id).into(),
        name: (*name).into(),
        arguments: arguments.as_object().cloned().unwrap_or_default().into(),
    };
    AssistantMessage { tool_calls: calls.iter().map(call).collect(), ..assistant(content) }
}

fn with_data(message: AssistantMessage, provider: &str, data: Value) -> Message {
    let provider_data = Some(ProviderData { provider: provider.into(), data });
    Message::Assistant(AssistantMessage { provider_data, ..message })
}

fn result(id: &str, content: &str, is_error: bool) -> Message {
    let (call_id, name) = (id.into(), "add".into());
    Message::Tool(ToolResult { call_id, name, content: content.into(), is_error })
}

fn body(messages: &[Message], tools: &[Tool]) -> Value {
    let mut conversation = Conversation::default();
    conversation.update(messages, tools).unwrap();
    serde_json::from_str(&conversation.body(head(), !tools.is_empty()).unwrap()).unwrap()
}

fn head() -> Map<String, Value> {
    Map::from_iter([("model".to_owned(), json!("m"))])
}

/// The messages on the wire, without cache marks.
fn wire(messages: &[Message]) -> Value {
    let mut messages = body(messages, &tools![add])["messages"].take();
    let contents =
        messages.as_array_mut().unwrap().iter_mut().map(|message| &mut message["content"]);
    for block in contents.filter_map(Value::as_array_mut).flatten() {
        block.as_object_mut().unwrap().remove("cache_control");
    }
    messages
}

#[test]
fn results_stand_in_one_user_message_in_call_order_before_any_text() {
    let messages = [
        system("Be brief."),
        user("1 + 2, and 3 + x?"),
        Message::Assistant(calls(
            "Adding.",
            &[("a", "add", json!({"a": 1, "b": 2})), ("b", "add", json!({"a": 3}))],
        )),
        result("a", "3", false),
        result("b", "error(invalid_arguments): `b` is missing", true),
        user("And 4 + 5?"),
    ];
    assert_eq!(
        wire(&messages),
        json!([
            {"role": "user", "content": [{"type": "text", "text": "1 + 2, and 3 + x?"}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "Adding."},
                {"type": "tool_use", "id": "a", "name": "add", "input": {"a": 1, "b": 2}},
                {"type": "tool_use", "id": "b", "name": "add", "input": {"a": 3}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "3"},
                {"type": "tool_result", "tool_use_id": "b", "is_error": true,
                 "content": "error(invalid_arguments): `b` is missing"},
                {"type": "text", "text": "And 4 + 5?"},
            ]},
        ])
    );
}

#[test]
fn no_message_is_empty() {
    let messages = [
        user(" "),
        Message::Assistant(assistant("")),
        user("Well?"),
        Message::Assistant(calls("\n", &[("a", "now", json!({}))])),
        result("a", "", false),
        Message::Assistant(calls("", &[("b", "now", json!({}))])),
        result("b", "", true),
    ];
    assert_eq!(
        wire(&messages),
        json!([
            {"role": "user", "content": [{"type": "text", "text": "(empty)"}, {"type": "text", "text": "Well?"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "now", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": ""}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "b", "name": "now", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "b", "content": "(empty)", "is_error": true},
            ]},
        ])
    );
}

#[test]
fn the_first_word_is_the_users() {
    let messages = [Message::Assistant(assistant("Hello!")), user("Hello.")];
    assert_eq!(wire(&[])[0], wire(&messages)[0]);
    assert_eq!(
        wire(&messages)[0],
        json!({"role": "user", "content": [{"type": "text", "text": "(empty)"}]})
    );
}

#[test]
fn thinking_goes_back_in_its_place_with_its_signature_and_the_calls_of_the_transcript() {
    let data = json!([
        {"type": "thinking", "thinking": "hm", "signature": "s1"},
        {"type": "redacted_thinking", "data": "zz"},
        {"type": "tool_use"},
        {"type": "thinking", "thinking": "unsigned", "signature": ""},
        {"type": "text", "text": ""},
        {"type": "text", "text": "Adding."},
    ]);
    let reply = calls(
        "Adding.",
        &[("c00000001", "now", json!({})), ("more", "add", json!({"a": 1, "b": 2}))],
    );
    let messages = [user("?"), with_data(reply, "anthropic", data)];
    assert_eq!(
        wire(&messages)[1]["content"],
        json!([
            {"type": "thinking", "thinking": "hm", "signature": "s1"},
            {"type": "redacted_thinking", "data": "zz"},
            {"type": "tool_use", "id": "c00000001", "name": "now", "input": {}},
            {"type": "text", "text": "Adding."},
            {"type": "tool_use", "id": "more", "name": "add", "input": {"a": 1, "b": 2}},
        ])
    );
}

#[test]
fn what_belongs_to_another_provider_stays_away() {
    let reply = AssistantMessage { reasoning: Some("hm".into()), ..assistant("Yes.") };
    let data = json!([{"type": "thinking", "thinking": "hm", "signature": "s1"}]);
    let messages = [user("?"), with_data(reply, "chat", data)];
    assert_eq!(wire(&messages)[1]["content"], json!([{"type": "text", "text": "Yes."}]));
}

#[test]
fn ids_and_names_that_would_be_refused_are_written_otherwise() {
    let messages = [
        user("?"),
        Message::Assistant(calls(
            "",
            &[("functions.add:0", "get weather!", json!({})), ("functions_add_0", "", json!({}))],
        )),
        result("functions.add:0", "x", true),
        result("functions_add_0", "y", true),
    ];
    let wire = wire(&messages);
    let (calls, results) = (&wire[1]["content"], &wire[2]["content"]);
    assert_eq!(calls[0]["name"], "get_weather_");
    assert_eq!(calls[1]["name"], "_");
    assert_eq!(calls[0]["id"], "hex_66756e6374696f6e732e6164643a30");
    assert_eq!(calls[0]["id"], results[0]["tool_use_id"]);
    assert_eq!(calls[1]["id"], "functions_add_0");
    assert_eq!(calls[1]["id"], results[1]["tool_use_id"]);
}

#[test]
fn at_most_four_marks_tell_what_to_cache() {
    let mut messages = vec![system("Be brief."), system("Be kind.")];
    for id in ["a", "b", "c"] {
        messages.push(user("?"));
        messages.push(Message::Assistant(calls("", &[(id, "now", json!({}))])));
        messages.push(result(id, "noon", false));
        messages.push(Message::Assistant(assistant("Noon.")));
    }
    messages.push(user("Thanks."));
    let body = body(&messages, &tools![add, now]);
    let mark = json!({"type": "ephemeral"});
    assert_eq!(body["tools"][1]["cache_control"], mark);
    assert_eq!(
        body["system"][1],
        json!({"type": "text", "text": "Be kind.", "cache_control": mark})
    );
    let wire = body["messages"].as_array().unwrap();
    assert_eq!(wire.len(), 13);
    assert_eq!(wire[12]["content"][0]["cache_control"], mark);
    assert_eq!(wire[10]["content"][0]["cache_control"], mark);
    assert_eq!(body.to_string().matches("cache_control").count(), 4);
}

#[test]
fn tools_are_sent_with_their_schemas() {
    assert_eq!(
        body(&[user("?")], &tools![now])["tools"],
        json!([{
            "name": "now",
            "description": "Tell the time.",
            "input_schema": {"type": "object", "properties": {}, "additionalProperties": false},
            "cache_control": {"type": "ephemeral"},
        }])
    );
}

#[test]
fn without_tools_a_conversation_that_had_some_keeps_and_forbids_them() {
    let messages = [
        user("?"),
        Message::Assistant(calls("", &[("a", "now", json!({}))])),
        result("a", "noon", false),
    ];
    let elsewhere = body(&messages, &[]);
    assert_eq!(elsewhere["tool_choice"], json!({"type": "none"}));
    assert_eq!(elsewhere["tools"], json!([{"name": "now", "input_schema": {"type": "object"}}]));

    let mut conversation = Conversation::default();
    conversation.update(&messages, &tools![add, now]).unwrap();
    conversation.update(&messages, &[]).unwrap();
    let body: Value = serde_json::from_str(&conversation.body(head(), false).unwrap()).unwrap();
    assert_eq!(body["tool_choice"], json!({"type": "none"}));
    assert_eq!(body["tools"][1]["description"], "Tell the time.");

    assert_eq!(self::body(&[user("?")], &[]).get("tools"), None);
}

#[test]
fn a_request_grows_by_what_is_new_and_its_beginning_stays_the_same() {
    let mut conversation = Conversation::default();
    let mut messages = vec![system("Be brief."), user("?")];
    let mut earlier = String::new();
    for id in ["a", "b", "c", "d"] {
        conversation.update(&messages, &tools![add]).unwrap();
        let body = conversation.body(head(), true).unwrap();
        let body = body.replace(r#","cache_control":{"type":"ephemeral"}"#, "");
        let (kept, _) = earlier.rsplit_once("]}").unwrap_or_default();
        assert!(body.starts_with(kept), "{body}\n{kept}");
        earlier = body;
        messages.push(Message::Assistant(calls("", &[(id, "add", json!({"a": 1, "b": 2}))])));
        messages.push(result(id, "3", false));
    }
}
