//! A key is in the headers of requests, and nowhere else.

use std::sync::{Arc, Mutex};

use agent_core::http::{Retries, Timeouts};
use agent_core::{Agent, FailedRun};
use serde_json::json;
use tests::server::{Answer, End, Protocol, Server};

use super::{KEY, SETUPS, STREAMED, Setup, everything, hello};

/// Asks, and returns all that is said about it anywhere.
async fn said(setup: Setup, url: &str) -> (Result<String, FailedRun>, String) {
    let events = Arc::new(Mutex::new(String::new()));
    let heard = Arc::clone(&events);
    let timeouts =
        Timeouts { first_byte: std::time::Duration::from_millis(200), ..Timeouts::default() };
    let retries = Retries { max: 1, ..super::soon() };
    let model = setup.model(url, timeouts, retries);
    let agent = Agent::builder().model(model).tools([]).on_event(move |event| {
        let json = serde_json::to_string(event).unwrap();
        *heard.lock().unwrap() += &format!("{event:?} {json}\n");
    });
    let mut said = format!("{agent:?}");
    let agent = agent.build().unwrap();
    said += &format!("{agent:?}");
    let outcome = agent.run("Hello?").await;
    said += &events.lock().unwrap();
    said += &match &outcome {
        Ok(run) => format!("{run:?}"),
        Err(failed) => format!("{failed} {failed:?} {}", everything(failed.error())),
    };
    (outcome.map(|run| run.answer().unwrap_or_default()), said)
}

#[tokio::test]
async fn a_key_is_in_no_error_no_event_and_no_debug_output() {
    let echo = format!("the key {KEY} is wrong");
    let unauthorised = Answer::error(401, "authentication_error", &echo);
    for setup in SETUPS {
        for answers in [
            vec![hello()],
            vec![unauthorised.clone()],
            vec![Answer::body(401, "text/plain", echo.clone())],
            vec![Answer::body(200, "text/html", format!("<html>{KEY}")), hello()],
            vec![Answer::json(200, &json!({"error": {"message": echo}}))],
            vec![Answer::json(500, &json!({"error": {"message": echo, "type": KEY}})), hello()],
            vec![Answer::garbage(format!("{KEY}\r\n\r\n")), hello()],
            vec![Answer::nothing(End::Stall), hello()],
            vec![Answer::nothing(End::Reset), hello()],
            vec![Answer::body(302, "t", "").with_header("location", &format!("/?key={KEY}"))],
        ] {
            let server = Server::list(answers);
            let (_, said) = said(setup, &server.url()).await;
            assert!(!said.contains(KEY), "{setup:?}: {said}");
            for request in &server.log().received {
                assert!(!request.target.contains(KEY) && !contains(&request.body, KEY));
                let name = match setup.protocol {
                    Protocol::Chat => "authorization",
                    Protocol::Messages => "x-api-key",
                };
                assert!(request.header(name).is_some_and(|value| value.ends_with(KEY)));
            }
        }
        let (refused, said) = said(setup, "http://127.0.0.1:1").await;
        assert!(refused.is_err() && !said.contains(KEY), "{setup:?}: {said}");
    }
}

#[tokio::test]
async fn a_key_echoed_in_a_stream_is_in_no_error() {
    let error = json!({"type": "error", "error": {"type": "api_error", "message": KEY}});
    for setup in STREAMED {
        let server = Server::list([Answer::events(format!("event: error\ndata: {error}\n\n"))]);
        let (outcome, said) = said(setup, &server.url()).await;
        assert!(outcome.is_err() && !said.contains(KEY), "{setup:?}: {said}");
    }
}

#[tokio::test]
async fn a_password_in_a_base_url_is_as_secret_as_a_key() {
    for setup in SETUPS {
        let server = Server::list([Answer::error(401, "authentication_error", "no")]);
        let url = format!("http://me:{KEY}@{}/v1?key={KEY}", server.address());
        let (outcome, said) = said(setup, &url).await;
        assert!(outcome.is_err() && !said.contains(KEY), "{setup:?}: {said}");
    }
}

#[tokio::test]
async fn a_key_follows_no_redirect_to_another_server() {
    for setup in SETUPS {
        for status in [301, 302, 303, 307, 308] {
            let other = Server::list([hello()]);
            let location = format!("{}/v1/chat/completions", other.url());
            let redirect =
                Answer::body(status, "text/plain", "").with_header("location", &location);
            let server = Server::list([redirect]);
            let (outcome, said) = said(setup, &server.url()).await;
            assert!(outcome.is_err(), "{setup:?} {status}: {said}");
            assert_eq!(other.log().received.len(), 0, "{setup:?} {status}");
            assert!(!said.contains(KEY), "{said}");
        }
    }
}

#[tokio::test]
async fn a_redirect_on_the_same_server_is_followed() {
    for setup in SETUPS {
        let path = match setup.protocol {
            Protocol::Chat => "/elsewhere/chat/completions",
            Protocol::Messages => "/elsewhere/messages",
        };
        let redirect = Answer::body(308, "text/plain", "").with_header("location", path);
        let server = Server::list([redirect, hello()]);
        let (outcome, _) = said(setup, &server.url()).await;
        assert_eq!(outcome.unwrap(), "Hello there, you.");
        assert_eq!(server.log().received[1].target, path);
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}
