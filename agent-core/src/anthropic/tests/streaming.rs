//! Streamed replies: each fixture is also read split at every byte.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use serde_json::json;
use sseer::EventStream;

use crate::anthropic::assemble::Assembler;
use crate::http::{Assembler as _, Deltas, Progress};
use crate::message::ProviderData;
use crate::model::{Delta, FinishReason, ModelError, ModelErrorKind, Reply};
use crate::usage::Usage;

/// What came of a stream: how it ended, the text that was there, and what was shown.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) reply: Option<Result<Reply, ModelError>>,
    text: String,
    shown: String,
}

fn read(pieces: &[&[u8]]) -> Outcome {
    let mut shown = String::new();
    let mut tell = |delta: Delta<'_>| match delta {
        Delta::Text(text) => shown.push_str(text),
        Delta::Reasoning(text) => shown.push_str(&format!("({text})")),
        Delta::Retry { .. } => {}
    };
    let mut deltas = Deltas::new(&mut tell);
    let pieces = pieces.iter().map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece)));
    let mut events = EventStream::new(stream::iter(pieces.collect::<Vec<_>>()));
    let mut assembler = Assembler::default();
    while let Some(event) = events.next().now_or_never().flatten() {
        if let Err(error) = assembler.event(&event.unwrap(), &mut deltas) {
            let text = assembler.text().to_owned();
            return Outcome { reply: Some(Err(error)), text, shown };
        }
    }
    let text = assembler.text().to_owned();
    let reply = (assembler.progress() == Progress::Closed).then(|| assembler.finish());
    Outcome { reply, text, shown }
}

/// Reads a fixture at once, and split at every byte, which must not matter.
pub(super) fn at_any_split(fixture: &str) -> Outcome {
    let bytes = fixture.as_bytes();
    let whole = read(&[bytes]);
    for at in 0..bytes.len() {
        let (start, end) = bytes.split_at(at);
        assert_eq!(format!("{:?}", read(&[start, end])), format!("{whole:?}"), "split at {at}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(format!("{:?}", read(&single)), format!("{whole:?}"), "byte by byte");
    whole
}

fn reply(fixture: &str) -> Reply {
    at_any_split(fixture).reply.unwrap().unwrap()
}

fn used(prompt_tokens: u64, completion_tokens: u64) -> Usage {
    Usage { prompt_tokens, completion_tokens, cached_tokens: 0 }
}

fn own(data: serde_json::Value) -> ProviderData {
    ProviderData { provider: "anthropic".into(), data }
}

#[test]
fn text_arrives_as_it_was_between_pings_and_unknown_events() {
    let outcome = at_any_split(include_str!("../fixtures/text.sse"));
    assert_eq!(outcome.shown, "日本 😀 é");
    let usage = Usage { prompt_tokens: 113, completion_tokens: 12, cached_tokens: 100 };
    assert_eq!(outcome.reply.unwrap().unwrap(), Reply::text("日本 😀 é").with_usage(usage));
}

#[test]
fn thinking_is_kept_with_its_signature_and_calls_with_their_arguments() {
    let outcome = at_any_split(include_str!("../fixtures/thinking_and_calls.sse"));
    assert_eq!(outcome.shown, "(Two )(calls.)Adding.");
    let mut expected = Reply::text("Adding.")
        .and_call_with_id("toolu_1", "add", json!(r#"{"a": 1, "b": 2}"#))
        .and_call_with_id("toolu_2", "now", json!("{}"))
        .and_call_with_id("toolu_3", "now", json!("{}"))
        .and_call_with_id("toolu_4", "say", json!(r#"{"t": "é日\u00e9😀"}"#))
        .with_usage(used(5, 40))
        .with_provider_data(own(json!([
            {"type": "thinking", "thinking": "Two calls.", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "eno="},
            {"type": "text", "text": "Adding."},
            {"type": "tool_use"}, {"type": "tool_use"}, {"type": "tool_use"}, {"type": "tool_use"},
        ])));
    expected.reasoning = Some("Two calls.".into());
    assert_eq!(outcome.reply.unwrap().unwrap(), expected);
}

#[test]
fn an_error_in_the_stream_comes_with_the_text_before_it() {
    let outcome = at_any_split(include_str!("../fixtures/overloaded.sse"));
    let error = outcome.reply.unwrap().unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ModelErrorKind::Stream, true));
    assert!(error.to_string().contains("Overloaded (overloaded_error)"), "{error}");
    assert_eq!(outcome.text, "Par");
}

#[test]
fn an_error_is_known_by_the_name_of_its_event_alone() {
    let outcome = at_any_split(include_str!("../fixtures/bare_error.sse"));
    let error = outcome.reply.unwrap().unwrap_err();
    assert_eq!((error.kind(), error.is_retryable()), (ModelErrorKind::Stream, true));
    assert_eq!(error.status(), Some(500));
    assert!(error.to_string().contains("out of slots (server_error)"), "{error}");
    assert_eq!(outcome.text, "Par");
}

#[test]
fn without_its_end_signal_a_reply_is_not_whole() {
    let outcome = at_any_split(include_str!("../fixtures/broken_off.sse"));
    assert!(outcome.reply.is_none());
    assert_eq!(outcome.text, "Half of");
}

#[test]
fn a_paused_reply_keeps_what_the_provider_did() {
    let mut expected = Reply::text("Searching.").with_finish(FinishReason::Pause);
    expected.usage = used(5, 20);
    expected.provider_data = Some(own(json!([
        {"type": "text", "text": "Searching."},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
         "input": {"query": "north"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content":
         [{"type": "web_search_result", "title": "North", "encrypted_content": "eno="}]},
    ])));
    assert_eq!(reply(include_str!("../fixtures/paused.sse")), expected);
}

#[test]
fn a_refused_reply_asks_for_nothing() {
    let expected = Reply::text("I will").with_finish(FinishReason::Refusal).with_usage(used(5, 3));
    assert_eq!(reply(include_str!("../fixtures/refused.sse")), expected);
}

#[test]
fn a_call_that_was_cut_off_comes_as_it_is_and_says_so() {
    let expected = Reply::default()
        .and_call_with_id("toolu_1", "write", json!(r#"{"path": "a.md", "text": "hel"#))
        .with_finish(FinishReason::Length)
        .with_usage(used(5, 8));
    assert_eq!(reply(include_str!("../fixtures/cut_off.sse")), expected);
}

/// No message to start with, events without a type, one index for all, comments, data over two
/// lines, carriage returns.
#[test]
fn a_server_that_only_resembles_the_real_one_is_understood() {
    let fixture = include_str!("../fixtures/compatible.sse").replace('\n', "\r\n");
    let outcome = at_any_split(&fixture);
    assert_eq!(outcome.shown, "(hm)Up.");
    let mut expected = Reply::text("Up.")
        .and_call_with_id("", "add", json!(r#"{"a": 1}"#))
        .and_call_with_id("x", "add", json!(r#"{"a":2}"#))
        .with_usage(used(7, 3));
    expected.reasoning = Some("hm".into());
    assert_eq!(outcome.reply.unwrap().unwrap(), expected);
}
