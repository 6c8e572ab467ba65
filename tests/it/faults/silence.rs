//! Time-outs, which bound silence and not work, and the end of a request that nobody waits for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_core::http::{Retries, Timeouts};
use agent_core::model::ModelErrorKind;
use agent_core::{Agent, FailedRun, Reply, Run, StopReason, tool, tools};
use serde_json::json;
use tests::check_transcript;
use tests::server::{Answer, End, Server};
use tokio::net::{TcpSocket, TcpStream};

use super::{KEY, Ran, SETUPS, STREAMED, Setup, count, hello, model_error};

const SHORT: Duration = Duration::from_millis(200);

fn short() -> Timeouts {
    Timeouts { connect: SHORT, first_byte: SHORT, idle: SHORT }
}

async fn ask(setup: Setup, url: &str) -> Result<Run, FailedRun> {
    let model = setup.model(url, short(), Retries::none());
    Agent::builder().model(model).tools([]).build().unwrap().run("Hello?").await
}

/// Checks that a run fails soon, for want of an answer.
async fn times_out(setup: Setup, url: &str) -> FailedRun {
    let start = Instant::now();
    let failed = ask(setup, url).await.unwrap_err();
    let error = model_error(&failed);
    assert_eq!(error.kind(), ModelErrorKind::Timeout, "{error}");
    assert!(error.is_retryable() && !error.to_string().contains(KEY), "{error}");
    let waited = start.elapsed();
    assert!(waited >= SHORT && waited < 10 * SHORT, "{setup:?}: {waited:?}");
    failed
}

#[tokio::test]
async fn a_server_that_takes_no_connection_is_given_up() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    // Nobody accepts these, and there is no room for more.
    let mut waiting = Vec::new();
    while let Ok(stream) = tokio::time::timeout(SHORT, TcpStream::connect(address)).await {
        waiting.push(stream.unwrap());
    }
    for setup in SETUPS {
        times_out(setup, &format!("http://{address}")).await;
    }
}

#[tokio::test]
async fn a_server_that_begins_no_answer_is_given_up() {
    for setup in SETUPS {
        let server = Server::list([Answer::nothing(End::Stall)]);
        times_out(setup, &server.url()).await;
        server.until(|log| log.left == 1).await.unwrap();
    }
}

#[tokio::test]
async fn a_server_that_falls_silent_is_given_up_and_its_text_is_kept() {
    let reply = Answer::reply(Reply::text("Partial answers have an end."));
    for setup in SETUPS {
        let bytes = if setup.stream { 620 } else { 40 };
        let server = Server::list([reply.clone().cut_at(bytes, End::Stall)]);
        let failed = times_out(setup, &server.url()).await;
        if setup.stream {
            let partial = model_error(&failed).partial().unwrap();
            assert!(partial.starts_with("Partial "), "{partial}");
        }
        server.until(|log| log.left == 1).await.unwrap();
    }
}

#[tokio::test]
async fn a_slow_server_that_goes_on_is_waited_for() {
    for setup in SETUPS {
        let size = if setup.stream { 100 } else { 25 };
        let server = Server::list([hello().dripping(size, SHORT / 4)]);
        let start = Instant::now();
        let run = ask(setup, &server.url()).await.unwrap();
        assert_eq!(run.answer().unwrap(), "Hello there, you.");
        assert!(start.elapsed() > 2 * SHORT, "{setup:?}: it was not slow");
    }
}

/// A run that waits for the model, in the middle of a reply.
fn waiting(setup: Setup, server: &Server) -> Run {
    setup.agent(server, &Arc::default()).build().unwrap().start("Hello?")
}

fn silent_then_hello(setup: Setup) -> Server {
    let silent = match setup.stream {
        true => hello().cut_at(300, End::Stall),
        false => Answer::nothing(End::Stall),
    };
    Server::list([silent, hello()])
}

/// The run is valid, goes on, and its first request is over.
async fn goes_on(mut run: Run, server: &Server) {
    server.until(|log| log.left == 1).await.unwrap();
    check_transcript(run.transcript()).unwrap();
    run.ask("Are you there?");
    run.drive().await.unwrap();
    assert_eq!(run.answer().unwrap(), "Hello there, you.");
    assert_eq!(server.log().refused, Vec::<String>::new());
}

#[tokio::test]
async fn cancelling_a_run_ends_its_request_at_once() {
    for setup in SETUPS {
        let server = silent_then_hello(setup);
        let mut run = waiting(setup, &server);
        let token = run.cancel_token();
        let cancel = async {
            server.until(|log| log.received.len() == 1).await.unwrap();
            token.cancel();
            Instant::now()
        };
        let (stop, cancelled) = tokio::join!(run.drive(), cancel);
        assert_eq!(stop.unwrap(), StopReason::Cancelled);
        assert!(cancelled.elapsed() < SHORT, "{setup:?}");
        goes_on(run, &server).await;
    }
}

#[tokio::test]
async fn dropping_a_run_ends_its_request_at_once() {
    for setup in SETUPS {
        let server = silent_then_hello(setup);
        let mut run = waiting(setup, &server);
        tokio::select! {
            _ = run.drive() => panic!("{setup:?}: the server is silent"),
            seen = server.until(|log| log.received.len() == 1) => seen.unwrap(),
        }
        goes_on(run, &server).await;
    }
}

#[tool("Wait for ever.", read_only, register = false)]
async fn hang() -> String {
    std::future::pending().await
}

#[tokio::test]
async fn a_run_dropped_between_two_calls_keeps_the_first_and_goes_on() {
    for setup in STREAMED {
        let calls = Reply::call("count", json!({})).and_call("hang", json!({}));
        let server = Server::list([Answer::reply(calls), hello()]);
        let ran = Arc::new(Ran::default());
        let model = setup.model(&server.url(), Timeouts::default(), Retries::none());
        let tools = tools![count, hang];
        let agent = Agent::builder().model(model).tools(tools).state(Arc::clone(&ran));
        let mut run = agent.build().unwrap().start("Hello?");
        assert!(tokio::time::timeout(SHORT, run.drive()).await.is_err());
        run.ask("Are you there?");
        check_transcript(run.transcript()).unwrap();
        let results = tests::results(run.transcript());
        assert!(
            matches!(results[..], ["1", cancelled] if cancelled.starts_with("error(cancelled)"))
        );
        run.drive().await.unwrap();
        assert_eq!((ran.times(), server.log().refused.len()), (1, 0));
    }
}
