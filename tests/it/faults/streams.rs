//! Streams that break off.

use std::sync::Arc;
use std::time::Duration;

use agent_core::http::{Retries, Timeouts};
use agent_core::model::ModelErrorKind;
use agent_core::{Agent, Message, Reply, tools};
use serde_json::json;
use tests::server::{Answer, End, Protocol, Script, Server};

use super::{Ran, STREAMED, Setup, count, counting, hello, model_error, soon};

/// The beginning of a streamed reply: the text `Par`.
fn beginning(setup: Setup) -> &'static str {
    match setup.protocol {
        Protocol::Chat => {
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Par\"}}]}\n\n"
        }
        Protocol::Messages => concat!(
            "event: message_start\n",
            "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"content\":[],\"usage\":{}}}\n\n",
            "event: content_block_start\n",
            "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
            "event: content_block_delta\n",
            "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Par\"}}\n\n",
        ),
    }
}

fn error_event(setup: Setup, kind: &str, code: u16) -> String {
    match setup.protocol {
        Protocol::Chat => {
            let error = json!({"error": {"message": "boom", "type": kind, "code": code}});
            format!("data: {error}\n\n")
        }
        Protocol::Messages => {
            let error = json!({"type": "error", "error": {"type": kind, "message": "boom"}});
            format!("event: error\ndata: {error}\n\n")
        }
    }
}

#[tokio::test]
async fn an_error_in_a_stream_is_one_with_the_text_that_had_come() {
    for setup in STREAMED {
        for (kind, code, retryable) in
            [("overloaded_error", 503, true), ("invalid_request_error", 400, false)]
        {
            let events = beginning(setup).to_owned() + &error_event(setup, kind, code);
            let server = Server::list([Answer::events(events), hello()]);
            let agent = setup.agent(&server, &Arc::default()).build().unwrap();
            let failed = agent.run("Hello?").await.unwrap_err();
            let error = model_error(&failed);
            assert_eq!(error.kind(), ModelErrorKind::Stream, "{error}");
            assert!(
                error.to_string().contains("boom") && error.to_string().contains(kind),
                "{error}"
            );
            assert_eq!((error.partial(), error.is_retryable()), (Some("Par"), retryable));
            let run = failed.into_run();
            assert!(matches!(run.transcript().messages(), [Message::User { .. }]));
            // What was shown would be shown twice.
            assert_eq!(server.log().received.len(), 1);
        }
    }
}

#[tokio::test]
async fn a_stream_that_fails_before_anything_was_shown_is_asked_for_again() {
    for setup in STREAMED {
        let server = Server::list([
            Answer::events(error_event(setup, "overloaded_error", 503)),
            Answer::events(beginning(setup)).cut_at(20, End::Close),
            Answer::events(beginning(setup)).cut_at(20, End::Reset),
            hello(),
        ]);
        let agent = setup.agent(&server, &Arc::default()).build().unwrap();
        let run = agent.run("Hello?").await.unwrap();
        assert_eq!(run.answer().unwrap(), "Hello there, you.");
        assert_eq!(server.log().received.len(), 4);
    }
}

#[tokio::test]
async fn a_stream_that_dies_hands_its_text_over_and_is_retried_only_if_asked() {
    for setup in STREAMED {
        for end in [End::Whole, End::Close, End::Reset] {
            let answers = [Answer::events(beginning(setup)).cut_at(usize::MAX, end), hello()];
            let server = Server::list(answers.clone());
            let agent = setup.agent(&server, &Arc::default()).build().unwrap();
            let failed = agent.run("Hello?").await.unwrap_err();
            let error = model_error(&failed);
            assert_eq!(error.kind(), ModelErrorKind::Truncated, "{error}");
            assert_eq!((error.partial(), error.is_retryable()), (Some("Par"), true));

            let server = Server::list(answers);
            let retries = Retries { after_text: true, ..soon() };
            let model = setup.model(&server.url(), Timeouts::default(), retries);
            let agent = Agent::builder().model(model).tools([]).build().unwrap();
            assert_eq!(agent.run("Hello?").await.unwrap().answer().unwrap(), "Hello there, you.");
        }
    }
}

#[tokio::test]
async fn a_reply_cut_at_any_byte_is_no_reply_and_runs_nothing() {
    let call = Reply::text("Let me.").and_call("count", json!({})).and_call("count", json!({}));
    for setup in STREAMED {
        let whole = cut_run(setup, &call, usize::MAX).await;
        assert_eq!(whole, (true, 2), "{setup:?}");
        let mut cut_whole = 0;
        for byte in (0..).step_by(7) {
            match cut_run(setup, &call, byte).await {
                (false, 0) => assert_eq!(cut_whole, 0, "{setup:?}: whole before {byte}"),
                (true, 2) => cut_whole += 1,
                other => panic!("{setup:?}: cut at {byte}, {other:?}"),
            }
            // The end signal has come, and some of what follows it.
            if cut_whole > 2 {
                break;
            }
            assert!(byte < 10_000, "{setup:?}: no cut came after the end signal");
        }
    }
}

/// Whether a reply that breaks off at `byte` was taken for whole, and how many calls were run.
async fn cut_run(setup: Setup, reply: &Reply, byte: usize) -> (bool, usize) {
    let (reply, end) = (reply.clone(), if byte == usize::MAX { End::Whole } else { End::Close });
    let server = Server::start(Script::new(move |request| {
        let first = request.json()["messages"].as_array().is_some_and(|list| list.len() == 1);
        if first { Answer::reply(reply.clone()).cut_at(byte, end) } else { hello() }
    }));
    let ran = Arc::new(Ran::default());
    let model = setup.model(&server.url(), Timeouts::default(), Retries::none());
    let agent = Agent::builder().model(model).tools(tools![count]).state(Arc::clone(&ran));
    let outcome = agent.build().unwrap().run("Hello?").await;
    if let Err(failed) = &outcome {
        let kind = model_error(failed).kind();
        assert!(matches!(kind, ModelErrorKind::Truncated | ModelErrorKind::Body), "{failed:?}");
    }
    (outcome.is_ok(), ran.times())
}

#[tokio::test]
async fn a_stream_that_comes_byte_by_byte_says_the_same() {
    let reply = Reply::text("日本 😀 é").and_call("count", json!({}));
    for setup in STREAMED {
        for size in [1, 3] {
            let answer = Answer::reply(reply.clone()).dripping(size, Duration::ZERO);
            let server = Server::list([answer, hello()]);
            let ran = Arc::new(Ran::default());
            let run = setup.agent(&server, &ran).build().unwrap().run("Hello?").await.unwrap();
            let Message::Assistant(said) = &run.transcript().messages()[1] else { panic!() };
            assert_eq!((said.content.as_str(), ran.times()), ("日本 😀 é", 1));
        }
    }
}

#[tokio::test]
async fn a_whole_reply_that_breaks_off_is_asked_for_again() {
    for setup in [super::SETUPS[1], super::SETUPS[3]] {
        let server = Server::list([
            counting().cut_at(40, End::Close),
            counting().cut_at(40, End::Reset),
            counting(),
            hello(),
        ]);
        let ran = Arc::new(Ran::default());
        let run = setup.agent(&server, &ran).build().unwrap().run("Hello?").await.unwrap();
        assert_eq!((run.answer().unwrap().as_str(), ran.times()), ("Hello there, you.", 1));
    }
}
