//! How servers deviate from the protocol, row by row: what they send, and what is read of it.

use serde_json::json;

use super::{streamed, whole};
use crate::model::{FinishReason, ModelError, ModelErrorKind, Reply};
use crate::usage::Usage;

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../fixtures/", $name))
    };
}

/// Every row, and the test that holds it or the reason why there is none.
#[test]
fn every_known_deviation_has_its_test_or_a_reason() {
    let rows = [
        "index_missing",                                   // D1
        "index_the_same_for_all",                          // D2
        "id_repeated",                                     // D3
        "id_and_name_empty_on_continuation",               // D4
        "nulls_on_continuation",                           // D5
        "id_empty_on_a_whole_call",                        // D6
        "arguments_after_the_name",                        // D7
        "whole_call_in_one_delta",                         // D8
        "summary_sent_again_at_the_end",                   // D9
        "arguments_null_or_missing",                       // D10
        "arguments_empty",                                 // D11
        "arguments_as_an_object",                          // D12
        "finish_reason_stop_with_calls",                   // D13
        "finish_reason_null",                              // D14
        "choices_empty_or_null",                           // D15
        "delta_null",                                      // D16
        "reasoning_under_any_name",                        // D17
        "writing::reasoning_goes_back_with_calls",         // D18
        "signature_of_a_call_is_kept",                     // D19
        "comments_and_line_ends",                          // D20
        "error_under_success",                             // D21
        "end_without_end_signal",                          // D22
        "bad_call_in_an_error",                            // D23
        "writing::ids_are_as_the_profile_takes_them",      // D24
        "writing::no_tool_choice_is_sent",                 // D25
        "writing::strict_goes_with_the_strict_dialect",    // D26
        "writing::instructions_are_one_message",           // D27
        "call_as_plain_text",                              // D28
        "empty_think_before_a_call",                       // D29
        "odd_and_missing_fields",                          // D30
        "thought_glued_to_the_id",                         // D31
        "does not apply: no response format is asked for", // D32
        "page_for_a_reply",                                // D33
    ];
    assert_eq!(rows.len(), 33);
    let tests = concat!(include_str!("deviations.rs"), include_str!("writing.rs"));
    for row in rows.iter().filter(|row| !row.starts_with("does not apply")) {
        let name = row.trim_start_matches("writing::");
        assert!(tests.contains(&format!("fn {name}()")), "{row}");
    }
}

/// The reply of a streamed fixture, which is the same wherever it is split.
fn stream(body: &str) -> Reply {
    streamed(body.as_bytes()).1.unwrap()
}

fn call(id: &str, name: &str, arguments: &str) -> Reply {
    Reply::default().and_call_with_id(id, name, json!(arguments))
}

fn error(body: &str) -> (ModelErrorKind, bool, String, Option<String>) {
    let (_, outcome) = streamed(body.as_bytes());
    parts(outcome.unwrap_err())
}

fn parts(error: ModelError) -> (ModelErrorKind, bool, String, Option<String>) {
    let partial = error.partial().map(str::to_owned);
    (error.kind(), error.is_retryable(), error.to_string(), partial)
}

#[test]
fn index_missing() {
    let reply = call("c1", "f", r#"{"a":1}"#);
    let reply = reply.and_call("g", json!("{}")).and_call("g", json!("{}"));
    assert_eq!(stream(fixture!("d01-index-missing.sse")), reply);
}

#[test]
fn index_the_same_for_all() {
    let reply = call("a", "w", r#"{"c":1}"#).and_call_with_id("b", "w", json!(r#"{"c":2}"#));
    assert_eq!(stream(fixture!("d02-index-0-for-all.sse")), reply);
}

#[test]
fn id_repeated() {
    assert_eq!(stream(fixture!("d03-id-repeated.sse")), call("c1", "f", r#"{"h":"a"}"#));
}

#[test]
fn id_and_name_empty_on_continuation() {
    assert_eq!(stream(fixture!("d04-empty-id-and-name.sse")), call("c1", "f", r#"{"q":"é"}"#));
}

#[test]
fn nulls_on_continuation() {
    assert_eq!(stream(fixture!("d05-nulls.sse")), call("c1", "f", r#"{"n":1}"#));
}

#[test]
fn id_empty_on_a_whole_call() {
    let reply = call("", "f", "{}").and_call("f", json!("{}"));
    assert_eq!(whole(fixture!("d06-empty-id.json")).unwrap(), reply);
}

#[test]
fn arguments_after_the_name() {
    assert_eq!(stream(fixture!("d07-arguments-later.sse")), call("c1", "f", r#"{"n":1}"#));
}

#[test]
fn whole_call_in_one_delta() {
    let reply = call("c1", "f", r#"{"n":1}"#).and_call_with_id("c2", "g", json!(r#"{"n":2}"#));
    assert_eq!(stream(fixture!("d08-whole-call-at-once.sse")), reply);
}

#[test]
fn summary_sent_again_at_the_end() {
    assert_eq!(stream(fixture!("d09-summary-at-the-end.sse")), call("c1", "f", r#"{"n":1}"#));
}

#[test]
fn arguments_null_or_missing() {
    let reply = call("c1", "f", "").and_call_with_id("c2", "f", json!(""));
    assert_eq!(whole(fixture!("d10-arguments-missing.json")).unwrap(), reply);
}

/// That they go back as `{}` is `writing::empty_arguments_go_back_as_an_object`.
#[test]
fn arguments_empty() {
    assert_eq!(whole(fixture!("d11-arguments-empty.json")).unwrap(), call("c1", "f", ""));
}

#[test]
fn arguments_as_an_object() {
    let reply = call("c1", "f", r#"{"n":1}"#);
    assert_eq!(whole(fixture!("d12-arguments-as-object.json")).unwrap(), reply);
}

#[test]
fn finish_reason_stop_with_calls() {
    assert_eq!(stream(fixture!("d13-finish-stop-with-calls.sse")), call("c1", "f", "{}"));
}

#[test]
fn finish_reason_null() {
    assert_eq!(stream(fixture!("d14-finish-null.sse")), Reply::text("Yes."));
}

#[test]
fn choices_empty_or_null() {
    let usage = Usage { prompt_tokens: 7, completion_tokens: 2, cached_tokens: 4 };
    let reply = Reply::text("Yes.").with_usage(usage);
    assert_eq!(stream(fixture!("d15-choices-empty-or-null.sse")), reply);
}

#[test]
fn delta_null() {
    assert_eq!(stream(fixture!("d16-delta-null.sse")), Reply::text("Yes."));
}

#[test]
fn reasoning_under_any_name() {
    let (shown, reply) = streamed(fixture!("d17-reasoning.sse").as_bytes());
    let reply = reply.unwrap();
    assert_eq!((shown.as_str(), reply.text.as_str()), ("(h)(m)ok", "ok"));
    assert_eq!(reply.reasoning.as_deref(), Some("hm"));
    let details = json!({"reasoning_details": [
        {"type": "reasoning.text", "text": "m", "signature": "s1"},
    ]});
    assert_eq!(reply.provider_data.unwrap().data, details);
    let alone = whole(fixture!("d17-reasoning-alone.json")).unwrap();
    assert_eq!((alone.text.as_str(), alone.reasoning.as_deref()), ("", Some("x")));
}

/// That it goes back to its provider alone is `writing::what_a_provider_sent_goes_back_to_it_alone`.
#[test]
fn signature_of_a_call_is_kept() {
    let data = stream(fixture!("d19-thought-signature.sse")).provider_data.unwrap();
    let signature = json!({"extra_content": {"google": {"thought_signature": "sig=="}}});
    assert_eq!(data.data, json!({"tool_calls": [signature, {}]}));
    assert_eq!(data.provider, super::PROVIDER);
}

#[test]
fn comments_and_line_ends() {
    assert_eq!(stream(fixture!("d20-comments-and-line-ends.sse")), Reply::text("日本 😀 é"));
}

#[test]
fn error_under_success() {
    let body = parts(whole(fixture!("d21-error-for-a-reply.json")).unwrap_err());
    assert_eq!((body.0, body.1), (ModelErrorKind::Status, true));
    assert!(body.2.contains("the upstream is down"), "{}", body.2);
    let object = parts(whole(fixture!("d21-error-object.json")).unwrap_err());
    assert_eq!((object.0, object.1), (ModelErrorKind::Status, false));
    for body in
        [fixture!("d21-error-in-the-stream.sse"), fixture!("d21-error-object-in-the-stream.sse")]
    {
        let (kind, retryable, message, partial) = error(body);
        assert_eq!((kind, retryable), (ModelErrorKind::Stream, true));
        assert_eq!(partial.as_deref(), Some("Par"));
        assert!(message.contains("boom"), "{message}");
    }
}

#[test]
fn end_without_end_signal() {
    for body in [fixture!("d22-no-end.sse"), fixture!("d22-cut-in-an-event.sse")] {
        let (kind, retryable, _, partial) = error(body);
        assert_eq!((kind, retryable), (ModelErrorKind::Truncated, true));
        assert_eq!(partial.as_deref(), Some("Par"));
    }
}

#[test]
fn bad_call_in_an_error() {
    use crate::chat::recover::failed_generation;

    let reply = call("", "get_weather", r#"{"city": "x""#);
    assert_eq!(failed_generation(fixture!("d23-tool-use-failed.json")), Some(reply));
    let streamed = stream(fixture!("d23-tool-use-failed.sse"));
    assert_eq!(streamed, call("", "f", r#"{"n":"#).with_text("Let me see."));
    let said = |text: &str| {
        json!({"error": {"code": "tool_use_failed", "failed_generation": text}}).to_string()
    };
    let reply = call("", "f", r#"{"n":1}"#);
    for text in [
        r#"{"name":"f","arguments":{"n":1}}"#,
        r#"[{"name":"f","parameters":{"n":1}}]"#,
        r#"<function=f{"n":1}</function>"#,
    ] {
        assert_eq!(failed_generation(&said(text)), Some(reply.clone()), "{text}");
    }
    assert_eq!(failed_generation(&said("nothing of the kind")), None);
    assert_eq!(failed_generation(r#"{"error":{"code":"other"}}"#), None);
}

/// Text is text: what stands in it is not run.
#[test]
fn call_as_plain_text() {
    let reply = Reply::text(r#"{"name": "f", "parameters": {}}"#);
    assert_eq!(whole(fixture!("d28-call-as-text.json")).unwrap(), reply);
}

#[test]
fn empty_think_before_a_call() {
    let reply = stream(fixture!("d29-empty-think.sse"));
    assert_eq!((reply.text.as_str(), reply.tool_calls.len()), ("", 1));
}

#[test]
fn odd_and_missing_fields() {
    assert_eq!(stream(fixture!("d30-odd-fields.sse")), Reply::text("Yes."));
}

/// Whoever glued it there wants it back.
#[test]
fn thought_glued_to_the_id() {
    let reply = call("call_1__thought__c2ln", "f", "{}");
    assert_eq!(whole(fixture!("d31-thought-in-the-id.json")).unwrap(), reply);
}

#[test]
fn page_for_a_reply() {
    let (kind, retryable, message, _) = parts(whole(fixture!("d33-a-page.json")).unwrap_err());
    assert_eq!((kind, retryable), (ModelErrorKind::Body, false));
    assert!(message.contains("`Welcome to the gateway`"), "{message}");
}

#[test]
fn a_reply_that_is_cut_filtered_or_refused_says_so() {
    let cut = call("c1", "f", r#"{"path":"a.md","text":"hel"#).with_finish(FinishReason::Length);
    assert_eq!(stream(fixture!("cut-by-length.sse")), cut);
    let filtered = Reply::text("Par").with_finish(FinishReason::ContentFilter);
    assert_eq!(stream(fixture!("filtered.sse")), filtered);
    let refused = Reply::text("I cannot.").with_finish(FinishReason::Refusal);
    assert_eq!(stream(fixture!("refused.sse")), refused);
}

#[test]
fn a_provider_that_gives_up_is_an_error_that_may_pass() {
    let (kind, retryable, _, partial) = error(fixture!("gave-up.sse"));
    assert_eq!((kind, retryable, partial.as_deref()), (ModelErrorKind::Stream, true, Some("Par")));
}

#[test]
fn a_reply_without_a_message_is_an_error() {
    assert_eq!(error(fixture!("nothing.sse")).0, ModelErrorKind::Body);
    assert_eq!(whole(fixture!("no-choice.json")).unwrap_err().kind(), ModelErrorKind::Body);
    assert_eq!(whole("").unwrap_err().kind(), ModelErrorKind::Body);
    let cut = whole(r#"{"choices":[{"mess"#).unwrap_err();
    assert_eq!((cut.kind(), cut.is_retryable()), (ModelErrorKind::Truncated, true));
}

#[test]
fn any_json_for_a_reply_is_read_or_refused() {
    let odd = [json!(null), json!([]), json!(""), json!({}), json!([{}]), json!({"choices": 3})];
    let deep = json!({"choices": [{"message": {"content": 3, "tool_calls": [null, 1, {}, []]}}]});
    for body in odd {
        assert_eq!(whole(&body.to_string()).unwrap_err().kind(), ModelErrorKind::Body, "{body}");
    }
    assert_eq!(whole(&deep.to_string()).unwrap(), Reply::default());
}
