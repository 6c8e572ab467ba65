//! Bodies that are not what was asked for.

use agent_core::model::ModelErrorKind::{self, Body, ContextLength, Status};
use agent_core::{Message, ModelError, StopReason};
use serde_json::json;
use tests::server::{Answer, End, Server};

use super::{SETUPS, STREAMED, Setup, model_error};

/// Asks once and checks what is said of the answer.
async fn expect(
    setup: Setup,
    answer: &Answer,
    kind: ModelErrorKind,
    says: &str,
) -> ModelErrorFacts {
    let server = Server::list([answer.clone()]);
    let failed = setup.ask_once(&server).await.unwrap_err();
    let error = model_error(&failed);
    let text = error.to_string();
    assert_eq!(error.kind(), kind, "{setup:?}: {text}");
    assert!(text.contains(says), "{setup:?}: {text}");
    assert!(text.len() < 2000, "{setup:?}: {} bytes", text.len());
    let facts = ModelErrorFacts::of(error);
    let run = failed.into_run();
    assert!(matches!(run.transcript().messages(), [Message::User { .. }]), "{setup:?}");
    facts
}

/// What a program sees of an error.
#[derive(Debug, PartialEq)]
struct ModelErrorFacts {
    status: Option<u16>,
    retryable: bool,
}

impl ModelErrorFacts {
    fn of(error: &ModelError) -> Self {
        Self { status: error.status(), retryable: error.is_retryable() }
    }
}

#[tokio::test]
async fn a_status_tells_and_the_body_says_why() {
    let page = format!("<html><title>Bad gateway</title>{}</html>", "é日😀<br>".repeat(100_000));
    let json = |status, body| Answer::json(status, &body);
    let cases = [
        (Answer::body(502, "text/html", page), 502, true, "Bad gateway"),
        (Answer::body(502, "text/html", "é".repeat(600_000)), 502, true, "ééé"),
        (Answer::body(429, "text/plain", "too many"), 429, true, "too many"),
        (Answer::body(401, "text/plain", ""), 401, false, "key"),
        (Answer::body(500, "text/plain", vec![0xff; 100]), 500, true, "500"),
        (json(500, json!({"error": "str"})), 500, true, "str"),
        (json(500, json!({"error": {"message": "deep"}})), 500, true, "deep"),
        (json(500, json!([{"error": {"message": "listed"}}])), 500, true, "listed"),
        (json(400, json!({"object": "error", "message": "flat"})), 400, false, "flat"),
        (json(422, json!({"detail": "odd"})), 422, false, "odd"),
        (Answer::error(403, "permission_error", "not yours"), 403, false, "not yours"),
        (Answer::error(529, "overloaded_error", "Overloaded"), 529, true, "Overloaded"),
    ];
    for setup in SETUPS {
        for (answer, status, retryable, says) in &cases {
            let facts = expect(setup, answer, Status, says).await;
            let expected = ModelErrorFacts { status: Some(*status), retryable: *retryable };
            assert_eq!(facts, expected, "{setup:?} {says}");
        }
    }
}

#[tokio::test]
async fn a_conversation_that_is_too_long_has_a_class_of_its_own() {
    let cases = [
        (400, "exceed_context_size_error", "the request exceeds the available context size"),
        (400, "context_length_exceeded", "too long"),
        (400, "invalid_request_error", "This model's maximum context length is 8192 tokens."),
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    ];
    for setup in SETUPS {
        for (status, kind, message) in cases {
            let answer = Answer::error(status, kind, message);
            let facts = expect(setup, &answer, ContextLength, message).await;
            assert_eq!(facts, ModelErrorFacts { status: Some(status), retryable: false });
        }
    }
}

#[tokio::test]
async fn what_is_no_reply_under_a_good_status_is_told_from_one() {
    for setup in SETUPS {
        for (answer, says) in [
            (Answer::body(200, "text/html", "<html><title>Welcome</title>"), "Welcome"),
            (Answer::body(200, "application/json", "<html>"), "base URL"),
            (Answer::body(200, "text/plain", "OK"), "base URL"),
            (Answer::body(200, "application/json", ""), "empty"),
            (Answer::body(204, "application/json", ""), "empty"),
            (Answer::json(200, &json!([])), "base URL"),
        ] {
            expect(setup, &answer, Body, says).await;
        }
        let error = json!({"error": {"message": "no such model", "code": 404}});
        expect(setup, &Answer::json(200, &error), Status, "no such model").await;
    }
    for setup in STREAMED {
        let answer = Answer::events("data: <html>\n\n");
        expect(setup, &answer, Body, "base URL").await;
    }
}

#[tokio::test]
async fn what_is_no_http_is_an_error_that_says_so() {
    for setup in SETUPS {
        for answer in [
            Answer::garbage("SSH-2.0-OpenSSH_9.6\r\n"),
            Answer::garbage(vec![0; 1000]),
            Answer::garbage("HTTP/1.1 200 OK\r\ncontent-length: banana\r\n\r\n{}"),
            Answer::nothing(End::Close),
            Answer::nothing(End::Reset),
        ] {
            expect(setup, &answer, ModelErrorKind::Connect, "cannot be reached").await;
        }
    }
}

#[tokio::test]
async fn replies_that_answer_nothing_are_told_apart() {
    use agent_core::Reply;
    use agent_core::model::FinishReason;

    let cut = |finish| Reply::text("Par").with_finish(finish);
    for setup in SETUPS {
        for (reply, stop) in [
            (Reply::text(""), StopReason::Empty),
            (cut(FinishReason::Refusal), StopReason::Refused),
            (cut(FinishReason::Length), StopReason::Incomplete),
        ] {
            let server = Server::list([Answer::reply(reply)]);
            let run = setup.ask_once(&server).await.unwrap();
            assert_eq!(run.stop(), Some(stop), "{setup:?}");
            assert_eq!(run.answer().unwrap_err().stop(), Some(stop));
        }
    }
}
