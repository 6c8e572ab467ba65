//! What is said of failures, and one exchange with a server that answers as it is told.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, LOCATION, RETRY_AFTER};
use serde_json::Value;

use super::failure::refused;
use super::{Assembler, Deltas, Event, Http, Progress, Protocol, Retries, Timeouts, key};
use crate::model::{Delta, ModelError, ModelErrorKind, Reply};

fn fails(status: u16, body: &str) -> ModelError {
    refused(StatusCode::from_u16(status).unwrap(), &HeaderMap::new(), body)
}

#[test]
fn the_words_of_the_server_are_found_in_any_body() {
    let cases = [
        (500, r#"{"error":"it broke"}"#, "it broke"),
        (400, r#"{"error":{"message":"it broke","type":"odd","code":null}}"#, "it broke (odd)"),
        (500, r#"[{"error":{"message":"it broke"}}]"#, "it broke"),
        (400, r#"{"object":"error","message":"it broke"}"#, "it broke"),
        (422, r#"{"detail":"it broke"}"#, "it broke"),
        (429, "slow\n  down", "slow down"),
        (502, "<html><title>Bad\nGateway</title><body>..</body></html>", "Bad Gateway"),
    ];
    for (status, body, words) in cases {
        let error = fails(status, body);
        let message = error.to_string();
        assert!(message.contains(&format!(": {words}; ")), "{message}");
        assert_eq!(error.kind(), ModelErrorKind::Status);
        assert_eq!(error.status(), Some(status));
        assert_eq!(error.is_retryable(), status == 429 || status >= 500, "{status}");
    }
    let silent = fails(401, "").to_string();
    assert_eq!(
        silent,
        "the server answered 401 Unauthorized; check the key and what it may be used for"
    );
}

#[test]
fn a_page_of_any_length_makes_a_short_message() {
    for body in ["é".repeat(1 << 20), " ".repeat(1 << 20), format!("{}x", "é ".repeat(400))] {
        assert!(fails(502, &body).to_string().chars().count() < 400);
    }
}

#[test]
fn only_what_may_pass_is_asked_again() {
    for status in [400, 401, 403, 404, 413, 422] {
        assert!(!fails(status, "").is_retryable(), "{status}");
    }
    for status in [408, 429, 500, 502, 503, 504, 529] {
        assert!(fails(status, "").is_retryable(), "{status}");
    }
    let quota = r#"{"error":{"message":"pay","type":"insufficient_quota"}}"#;
    assert!(!fails(429, quota).is_retryable());
    let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static("0.5"))]);
    let asked = refused(StatusCode::SERVICE_UNAVAILABLE, &headers, "").retry_after();
    assert_eq!(asked, Some(Duration::from_millis(500)));
}

#[test]
fn a_conversation_that_is_too_long_is_a_class_of_its_own() {
    let cases = [
        (400, r#"{"error":{"code":400,"message":"too big","type":"exceed_context_size_error"}}"#),
        (400, r#"{"error":{"message":"This model's maximum context length is 8","code":null}}"#),
        (400, r#"{"error":{"message":"no","code":"context_length_exceeded"}}"#),
        (
            400,
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}"#,
        ),
    ];
    for (status, body) in cases {
        let error = fails(status, body);
        assert_eq!(error.kind(), ModelErrorKind::ContextLength, "{body}");
        assert!(!error.is_retryable());
    }
    assert_eq!(fails(429, "context window").kind(), ModelErrorKind::Status);
}

#[test]
fn an_error_in_the_place_of_a_reply_is_asked_again_only_if_it_may_pass() {
    let passes = |body: serde_json::Value| {
        super::reported(&body).map(|error| error.in_body().is_retryable())
    };
    for (body, expected) in [
        (
            serde_json::json!({"error": {"code": 401, "type": "api_error", "message": "bad key"}}),
            Some(false),
        ),
        (serde_json::json!({"error": {"code": 429, "type": "insufficient_quota"}}), Some(false)),
        (
            serde_json::json!({"error": {"code": 500, "message": "maximum context length is 8"}}),
            Some(false),
        ),
        (serde_json::json!({"error": {"code": 503, "message": "busy"}}), Some(true)),
        (serde_json::json!({"error": {"type": "overloaded_error"}}), Some(true)),
        (serde_json::json!({"error": ""}), None),
        (serde_json::json!({"error": {}}), None),
        (serde_json::json!({"error": 0}), None),
    ] {
        assert_eq!(passes(body.clone()), expected, "{body}");
    }
}

#[test]
fn a_key_that_an_excerpt_cuts_is_masked_as_well() {
    let mut secrets = super::Secrets::default();
    secrets.add("SENTINEL-123".to_owned().into());
    for cut in 4..12 {
        let shown = secrets.scrub(&format!("wrong key {}…", &"SENTINEL-123"[..cut]));
        assert_eq!(shown, "wrong key [key]…");
    }
    assert_eq!(secrets.scrub("SENTINEL-123 is wrong"), "[key] is wrong");
}

#[test]
fn a_redirect_elsewhere_names_the_host_alone() {
    let location = HeaderValue::from_static("https://elsewhere.example/v1?key=secret");
    let headers = HeaderMap::from_iter([(LOCATION, location)]);
    let message = refused(StatusCode::MOVED_PERMANENTLY, &headers, "").to_string();
    assert!(message.contains("points to `elsewhere.example`"), "{message}");
    assert!(!message.contains("secret"), "{message}");
}

/// Replies are the body, or one event.
struct Plain;

struct OneEvent(Option<String>);

impl Protocol for Plain {
    type Assembler = OneEvent;

    fn assembler(&self) -> OneEvent {
        OneEvent(None)
    }

    fn whole(&self, body: &str) -> Result<Reply, ModelError> {
        let value: Value = super::json("the reply", body)?;
        Ok(Reply::text(value.to_string()))
    }
}

impl Assembler for OneEvent {
    fn event(&mut self, event: &Event, deltas: &mut Deltas<'_>) -> Result<(), ModelError> {
        deltas.text(&event.data);
        self.0 = Some(event.data.to_string());
        Ok(())
    }

    fn progress(&self) -> Progress {
        if self.0.is_some() { Progress::Closed } else { Progress::Open }
    }

    fn text(&self) -> &str {
        ""
    }

    fn finish(self) -> Result<Reply, ModelError> {
        Ok(Reply::text(self.0.unwrap_or_default()))
    }
}

/// A server that gives each connection the next answer. Its address, and what it was sent.
fn serve(answers: Vec<String>) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let serving = std::thread::spawn(move || {
        let answer = |answer: String| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            let length = stream.read(&mut request).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            String::from_utf8_lossy(&request[..length]).into_owned()
        };
        answers.into_iter().map(answer).collect()
    });
    (address, serving)
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}

/// Asks with a key that must not be seen; the outcome, and what was told on the way.
fn ask(address: &str) -> (Result<Reply, ModelError>, Vec<String>) {
    let retries = Retries { first_wait: Duration::from_millis(1), ..Retries::default() };
    let http = Http::new(address, "ask", Timeouts::default(), retries)
        .and_then(|http| http.secret_header(AUTHORIZATION, "Bearer ", &key(" SENTINEL-123\n")))
        .unwrap();
    assert!(!format!("{http:?}").contains("SENTINEL"));
    let mut told = Vec::new();
    let mut tell = |delta: Delta<'_>| told.push(format!("{delta:?}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let body = Bytes::from_static(b"{}");
    let outcome = runtime.block_on(http.ask(&Plain, body, &mut Deltas::new(&mut tell)));
    (outcome, told)
}

#[test]
fn what_fails_is_asked_again_until_it_passes_and_the_reply_is_whole_or_streamed() {
    let events = answer("200 OK", "content-type: text/event-stream\r\n", "data: hello");
    let (address, serving) =
        serve(vec![answer("500 Oh", "", ""), String::new(), answer("200 OK", "", " [1]"), events]);
    let (reply, told) = ask(&address);
    assert_eq!(reply.unwrap(), Reply::text("[1]"));
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("Retry { attempt: 1, "), "{told:?}");
    assert_eq!(ask(&address).0.unwrap(), Reply::text("hello"));
    for request in serving.join().unwrap() {
        assert!(request.starts_with("POST /v1/ask HTTP/1.1\r\n"), "{request}");
        assert!(request.contains("authorization: Bearer SENTINEL-123\r\n"), "{request}");
    }
}

#[test]
fn a_key_that_a_server_repeats_is_not_repeated() {
    let body = r#"{"error":{"message":"Incorrect key: SENTINEL-123"}}"#;
    let (address, serving) = serve(vec![answer("401 Unauthorized", "", body)]);
    let error = ask(&address).0.unwrap_err();
    serving.join().unwrap();
    assert!(error.to_string().contains("Incorrect key: [key]"), "{error}");
    assert!(!format!("{error:?}").contains("SENTINEL"));
}

#[test]
fn a_redirect_is_followed_on_the_same_server_alone() {
    let (elsewhere, _unasked) = serve(vec![String::new()]);
    let there = format!("location: {elsewhere}/v1/ask\r\n");
    let (address, serving) = serve(vec![
        answer("307 Temporary Redirect", "location: /v1/other\r\n", ""),
        answer("307 Temporary Redirect", &there, ""),
    ]);
    let error = ask(&address).0.unwrap_err();
    assert_eq!(error.status(), Some(307), "{error}");
    let requests = serving.join().unwrap();
    assert!(requests[1].starts_with("POST /v1/other "), "{requests:?}");
}
