//! Whole replies.

use serde_json::{Value, json};

use crate::anthropic::read;
use crate::message::ProviderData;
use crate::model::{FinishReason, ModelError, ModelErrorKind, Reply, RequestedCall};
use crate::usage::Usage;

fn reply(body: Value) -> Result<Reply, ModelError> {
    read::reply(&body.to_string())
}

#[test]
fn text_thinking_and_calls_are_told_apart_and_counted() {
    let read = reply(json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "surprise": [],
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s1"},
            {"type": "text", "text": "Adding."},
            {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 1}},
            {"type": "tool_use", "id": "toolu_2", "name": "now"},
        ],
        "stop_reason": "tool_use", "stop_sequence": null,
        "usage": {"input_tokens": 5, "cache_creation_input_tokens": 20,
                  "cache_read_input_tokens": 100, "output_tokens": 7},
    }));
    let mut expected = Reply::text("Adding.")
        .and_call_with_id("toolu_1", "add", json!(r#"{"a":1}"#))
        .and_call_with_id("toolu_2", "now", json!(""))
        .with_usage(Usage { prompt_tokens: 125, completion_tokens: 7, cached_tokens: 100 })
        .with_provider_data(ProviderData {
            provider: "anthropic".into(),
            data: json!([
                {"type": "thinking", "thinking": "hm", "signature": "s1"},
                {"type": "text", "text": "Adding."},
                {"type": "tool_use"},
                {"type": "tool_use"},
            ]),
        });
    expected.reasoning = Some("hm".into());
    assert_eq!(read.unwrap(), expected);
}

#[test]
fn plain_replies_leave_nothing_behind_for_the_provider() {
    let read = reply(json!({"content": [
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "text", "text": "Up."},
    ]}));
    assert_eq!(read.unwrap().provider_data, None);
}

#[test]
fn a_block_of_a_new_kind_is_kept_as_it_is() {
    let block = json!({"type": "something_new", "text": [1], "id": 7, "name": null});
    let read = reply(json!({"content": [{"type": "text", "text": "Up."}, block]})).unwrap();
    assert_eq!(read.text, "Up.");
    assert_eq!(read.provider_data.unwrap().data, json!([{"type": "text", "text": "Up."}, block]));
}

#[test]
fn each_stop_reason_has_its_own_outcome() {
    let outcomes = [
        (json!("end_turn"), FinishReason::Stop),
        (json!("stop_sequence"), FinishReason::Stop),
        (json!("tool_use"), FinishReason::Stop),
        (json!("max_tokens"), FinishReason::Length),
        (json!("model_context_window_exceeded"), FinishReason::Length),
        (json!("pause_turn"), FinishReason::Pause),
        (json!("refusal"), FinishReason::Refusal),
        (json!("something new"), FinishReason::Stop),
        (Value::Null, FinishReason::Stop),
    ];
    for (stop, finish) in outcomes {
        let read = reply(json!({"content": [{"type": "text", "text": "x"}], "stop_reason": stop}));
        assert_eq!(read.unwrap(), Reply::text("x").with_finish(finish), "{stop}");
    }
}

#[test]
fn a_refused_reply_asks_for_nothing() {
    let call = json!({"type": "tool_use", "id": "a", "name": "rm", "input": {}});
    let read = reply(json!({"content": [call], "stop_reason": "refusal"}));
    assert_eq!(read.unwrap(), Reply::default().with_finish(FinishReason::Refusal));
}

#[test]
fn a_lone_surrogate_in_arguments_concerns_its_call_alone() {
    let body = r#"{"content": [{"type": "tool_use", "id": "a", "name": "f", "input": {"t": "ab\ud83d"}}]}"#;
    let arguments = json!(r#"{"t": "ab\ud83d"}"#);
    let call = RequestedCall { id: "a".into(), name: "f".into(), arguments };
    assert_eq!(read::reply(body).unwrap().tool_calls, [call]);
}

#[test]
fn what_is_no_reply_is_an_error_of_its_kind() {
    let overloaded =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let error = reply(overloaded).unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::Status);
    assert!(error.is_retryable());
    assert!(error.to_string().contains("Overloaded (overloaded_error)"), "{error}");

    let long = json!({"error": {"type": "invalid_request_error",
        "message": "prompt is too long: 9 tokens > 8 maximum"}});
    let error = reply(long).unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ModelErrorKind::ContextLength, false));

    for body in ["", "<html>", "[]", "{}", r#"{"content": [7]}"#, r#"{"content": [{}]}"#] {
        assert_eq!(read::reply(body).unwrap_err().kind(), ModelErrorKind::Body, "{body}");
    }
}
