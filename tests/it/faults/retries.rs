//! What is asked again, when, and how often.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use agent_core::model::ModelErrorKind;
use agent_core::{Event, StopReason};
use tests::check_transcript;
use tests::server::{Answer, End, Script, Server};

use super::{Ran, SETUPS, counting, hello, model_error};

fn busy(status: u16, retry_after: &str) -> Answer {
    Answer::error(status, "rate_limit_error", "slow down").with_header("retry-after", retry_after)
}

/// How long it takes to be answered after `busy`.
async fn wait_after(status: u16, retry_after: &str) -> Duration {
    let mut longest = Duration::ZERO;
    for setup in [SETUPS[0], SETUPS[3]] {
        let server = Server::list([busy(status, retry_after), hello()]);
        let agent = setup.agent(&server, &Arc::default()).build().unwrap();
        let start = Instant::now();
        agent.run("Hello?").await.unwrap();
        longest = longest.max(start.elapsed());
        assert_eq!(server.log().received.len(), 2);
    }
    longest
}

#[tokio::test]
async fn the_time_a_server_asks_for_is_waited() {
    let in_two_seconds = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(2));
    let ((seconds, fraction), date) = tokio::join!(
        async { tokio::join!(wait_after(429, "1"), wait_after(503, "0.5")) },
        // The date has no fraction of a second, and the second setup asks when it has passed.
        wait_after(529, &in_two_seconds),
    );
    assert!(seconds >= Duration::from_secs(1), "{seconds:?}");
    assert!(fraction >= Duration::from_millis(500), "{fraction:?}");
    assert!(date >= Duration::from_millis(900), "{date:?}");
}

#[tokio::test]
async fn a_time_that_has_passed_or_is_none_does_not_hold_anything_up() {
    for retry_after in ["Sun, 06 Nov 1994 08:49:37 GMT", "banana", "-1", "0"] {
        let wait = wait_after(429, retry_after).await;
        assert!(wait < Duration::from_millis(500), "{retry_after}: {wait:?}");
    }
}

#[tokio::test]
async fn a_server_that_asks_for_too_long_a_wait_is_not_asked_again() {
    for setup in SETUPS {
        let server = Server::list([busy(429, "999999"), hello()]);
        let agent = setup.agent(&server, &Arc::default()).build().unwrap();
        let failed = agent.run("Hello?").await.unwrap_err();
        let error = model_error(&failed);
        assert_eq!((error.kind(), error.status()), (ModelErrorKind::Status, Some(429)));
        assert_eq!(error.retry_after(), Some(Duration::from_secs(999_999)));
        assert_eq!(server.log().received.len(), 1);
    }
}

#[tokio::test]
async fn a_request_that_was_refused_for_good_is_not_sent_again() {
    for setup in SETUPS {
        for status in [400, 401, 403, 404, 413, 422] {
            let server = Server::list([busy(status, "0"), hello()]);
            let agent = setup.agent(&server, &Arc::default()).build().unwrap();
            let failed = agent.run("Hello?").await.unwrap_err();
            assert_eq!(model_error(&failed).status(), Some(status));
            assert!(!model_error(&failed).is_retryable(), "{status}");
            assert_eq!(server.log().received.len(), 1, "{status}");
        }
    }
}

#[tokio::test]
async fn the_number_of_tries_is_bounded() {
    for setup in SETUPS {
        let server = Server::start(Script::new(|_| Answer::error(500, "api_error", "broken")));
        let agent = setup.agent(&server, &Arc::default()).build().unwrap();
        let failed = agent.run("Hello?").await.unwrap_err();
        assert_eq!(model_error(&failed).status(), Some(500));
        assert_eq!(server.log().received.len(), 4);
    }
}

#[tokio::test]
async fn faults_that_pass_are_survived_and_no_tool_runs_twice() {
    let faults = || {
        [
            Answer::error(500, "api_error", "broken"),
            Answer::body(503, "text/html", "<html>"),
            Answer::nothing(End::Reset),
        ]
    };
    for setup in SETUPS {
        let answers = faults().into_iter().chain([counting()]).chain(faults()).chain([hello()]);
        let server = Server::list(answers);
        let (ran, retries) = (Arc::new(Ran::default()), Arc::new(Ran::default()));
        let seen = Arc::clone(&retries);
        let agent = setup.agent(&server, &ran).on_event(move |event| {
            if matches!(event, Event::Retry { .. }) {
                seen.add();
            }
        });
        let run = agent.build().unwrap().run("Hello?").await.unwrap();
        assert_eq!(run.stop(), Some(StopReason::Answered));
        assert_eq!((ran.times(), retries.times()), (1, 6));
        assert_eq!(run.counts().steps, 2);
        check_transcript(run.transcript()).unwrap();
        let log = server.log();
        assert_eq!((log.received.len(), &log.refused), (8, &Vec::new()));
        for step in log.received.chunks(4) {
            assert!(step.iter().all(|again| again.body == step[0].body), "{setup:?}");
        }
    }
}

#[tokio::test]
async fn what_a_run_did_before_its_model_failed_is_kept_and_not_done_again() {
    for setup in SETUPS {
        let answers = [counting(), Answer::error(400, "api_error", "no"), hello()];
        let server = Server::list(answers);
        let ran = Arc::new(Ran::default());
        let agent = setup.agent(&server, &ran).build().unwrap();
        let mut run = agent.run("Hello?").await.unwrap_err().into_run();
        check_transcript(run.transcript()).unwrap();
        assert_eq!(tests::results(run.transcript()), ["1"]);
        run.ask("And now?");
        run.drive().await.unwrap();
        assert_eq!(run.answer().unwrap(), "Hello there, you.");
        assert_eq!((ran.times(), server.log().refused.len()), (1, 0));
    }
}
