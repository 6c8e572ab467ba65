//! Replies as the protocol has them.

use serde_json::json;

use super::{pieces, streamed, whole};
use crate::model::Reply;
use crate::usage::Usage;

#[test]
fn text_is_shown_as_it_comes_and_calls_are_put_together() {
    let body = include_bytes!("../fixtures/text-beside-calls.sse");
    let (shown, reply) = streamed(body);
    let expected =
        Reply::text("Let me look: 日本").and_call_with_id("c1", "f", json!(r#"{"q":"😀 é"}"#));
    assert_eq!((shown.as_str(), reply.unwrap()), ("Let me look: 日本", expected));
}

#[test]
fn an_opening_pair_of_braces_is_no_argument() {
    let reply = streamed(include_bytes!("../fixtures/opening-braces.sse")).1.unwrap();
    let expected = Reply::default()
        .and_call_with_id("c1", "f", json!(r#"{"n":1}"#))
        .and_call_with_id("c2", "g", json!("{}"));
    assert_eq!(reply, expected);
}

#[test]
fn the_older_form_of_a_call_is_read() {
    let body = include_str!("../fixtures/older-function-call.json");
    assert_eq!(whole(body).unwrap(), Reply::call("f", json!(r#"{"n":1}"#)));
}

#[test]
fn content_may_come_in_parts() {
    let reply = whole(include_str!("../fixtures/content-in-parts.json")).unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_deref()), ("ok", Some("hm")));
    let usage = Usage { prompt_tokens: 3, completion_tokens: 1, cached_tokens: 2 };
    assert_eq!(reply.usage, usage);
}

#[test]
fn bytes_that_are_no_utf8_are_an_error() {
    let outcome = pieces(&[b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xff\"}}]}\n\n"]).1;
    let message = outcome.unwrap_err().to_string();
    assert!(message.contains("utf-8"), "{message}");
}

#[test]
fn half_a_surrogate_pair_is_read_as_the_replacement_character() {
    let body = r#"{"choices":[{"message":{"content":"ab\ud83d"}}]}"#;
    assert_eq!(whole(body).unwrap(), Reply::text("ab\u{fffd}"));
}
