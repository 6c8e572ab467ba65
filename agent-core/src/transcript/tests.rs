use serde_json::{Value, json};

use super::Transcript;
use crate::message::Message;

fn messages(json: Value) -> Vec<Message> {
    serde_json::from_value(json).unwrap()
}

fn call(id: &str) -> Value {
    json!({"id": id, "name": "f", "arguments": {}})
}

fn result(id: &str, content: &str) -> Value {
    json!({"role": "tool", "call_id": id, "name": "f", "content": content})
}

const LOST: &str =
    "error(cancelled): the result of this call was lost; call again if it is still needed";

#[test]
fn a_transcript_with_an_unanswered_a_stray_or_a_doubled_call_is_refused_with_its_place() {
    let user = json!({"role": "user", "content": "go"});
    let cases = [
        (json!([result("a", "x")]), 0, "the result of `a` answers no call"),
        (
            json!([user, {"role": "assistant", "tool_calls": [call("a")]}]),
            2,
            "the result of call `a` is due here",
        ),
        (
            json!([{"role": "assistant", "tool_calls": [call("a"), call("b")]}, result("b", "x"), result("a", "x")]),
            1,
            "the result of call `a` is due here",
        ),
        (
            json!([{"role": "assistant", "tool_calls": [call("a")]}, user, result("a", "x")]),
            1,
            "the result of call `a` is due here",
        ),
        (
            json!([{"role": "assistant", "tool_calls": [call("")]}, result("", "x")]),
            0,
            "the call id `` is empty or occurs twice",
        ),
        (
            json!([{"role": "assistant", "tool_calls": [call("a"), call("a")]}]),
            0,
            "the call id `a` is empty or occurs twice",
        ),
    ];
    for (json, index, problem) in cases {
        let error = Transcript::try_from(messages(json.clone())).unwrap_err();
        assert_eq!(error.index(), index, "{json}");
        assert_eq!(
            error.to_string(),
            format!("message {index} of the transcript: {problem}"),
            "{json}"
        );
        assert!(serde_json::from_value::<Transcript>(json).is_err());
    }
}

#[test]
fn repair_drops_stray_results_orders_the_rest_and_stands_in_for_lost_ones() {
    let broken = messages(json!([
        result("stray", "x"),
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [call("a"), call("b"), call("a"), call("")]},
        result("b", "of b"),
        result("a", "of a"),
        result("unknown", "x"),
        {"role": "user", "content": "and now?"},
        result("b", "late"),
    ]));
    let repaired = Transcript::repaired(broken);
    let expected = messages(json!([
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "",
         "tool_calls": [call("a"), call("b"), call("c00000001"), call("c00000002")]},
        result("a", "of a"),
        result("b", "of b"),
        {"role": "tool", "call_id": "c00000001", "name": "f", "content": LOST, "is_error": true},
        {"role": "tool", "call_id": "c00000002", "name": "f", "content": LOST, "is_error": true},
        {"role": "user", "content": "and now?"},
    ]));
    assert_eq!(repaired.messages(), expected);
    assert!(Transcript::try_from(expected).is_ok());
}

#[test]
fn repair_leaves_a_valid_transcript_as_it_is() {
    let valid = messages(json!([
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "hm", "reasoning": "so", "tool_calls": [call("a")]},
        result("a", "1"),
        {"role": "assistant", "content": "1"},
    ]));
    assert_eq!(Transcript::repaired(valid.clone()).messages(), valid);
}
