//! What holds for every run, whatever the model, the tools and the caller do.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use agent_core::model::{BoxFuture, FinishReason, Model, ModelError, Request};
use agent_core::{
    Agent, Event, Limits, Message, Reply, Run, ScriptedModel, StopReason, ToolContext, ToolError,
    Transcript, tool, tools,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use tests::check_transcript;

/// The ids of the calls that tools were run for.
#[derive(Default)]
struct Ran(Mutex<HashSet<String>>);

impl Ran {
    /// Notes a call; panics if it was run before, which its result then shows.
    fn note(&self, context: &ToolContext) {
        let new =
            self.0.lock().unwrap().insert(format!("{}/{}", context.run_id(), context.call_id()));
        assert!(new, "RAN TWICE");
    }
}

#[tool("Answer at once.", read_only, inline, register = false)]
fn fast(#[state] ran: &Ran, #[context] context: &ToolContext, n: Option<u8>) -> u8 {
    ran.note(context);
    n.unwrap_or_default()
}

#[tool("Answer after a while.", read_only, register = false)]
async fn slow(#[state] ran: &Ran, #[context] context: &ToolContext) -> &'static str {
    ran.note(context);
    tokio::time::sleep(Duration::from_millis(3)).await;
    "slow"
}

#[tool("Fail.", register = false)]
fn fail(#[state] ran: &Ran, #[context] context: &ToolContext) -> Result<(), &'static str> {
    ran.note(context);
    Err("as ever")
}

#[tool("Panic.", register = false)]
async fn explode(#[state] ran: &Ran, #[context] context: &ToolContext) {
    ran.note(context);
    tokio::task::yield_now().await;
    panic!("as ever")
}

#[tool("Block a thread.", timeout = "2ms", register = false)]
fn block(#[state] ran: &Ran, #[context] context: &ToolContext) {
    ran.note(context);
    std::thread::sleep(Duration::from_millis(4));
}

#[tool("Never answer.", timeout = "2ms", read_only, register = false)]
async fn never() {
    std::future::pending::<()>().await;
}

#[tool("End the run.", register = false)]
fn fatal() -> Result<(), ToolError> {
    Err(ToolError::fatal("as ever"))
}

/// A script that refuses invalid transcripts, as providers do.
struct Strict(ScriptedModel);

impl Model for Strict {
    fn name(&self) -> &str {
        "strict"
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let messages = request.messages.to_vec();
            let transcript = Transcript::try_from(messages)
                .map_err(|error| ModelError::new(format!("INVALID {error}")))?;
            check_transcript(&transcript)
                .map_err(|error| ModelError::new(format!("INVALID {error}")))?;
            tokio::task::yield_now().await;
            self.0.reply(request).await
        })
    }
}

fn arguments() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => Just(json!({})),
        1 => Just(json!("")),
        1 => Just(json!({"n": 300})),
        1 => Just(json!("{\"n\": 1, ")),
        1 => Just(json!("\"{}\"")),
        1 => Just(json!([1])),
        1 => any::<u8>().prop_map(|n| json!({ "n": n })),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    let name = prop::sample::select(vec![
        "fast", "fast", "fast", "slow", "fail", "explode", "block", "never", "fata", "",
    ]);
    let name = prop_oneof![40 => name, 1 => Just("fatal")];
    let id = prop::sample::select(vec!["", "", "a", "b", "c00000001"]);
    let calls = prop::collection::vec((id, name, arguments()), 0..5);
    let text = prop::sample::select(vec!["", "text", "日本 😀"]);
    let finish = prop_oneof![8 => Just(FinishReason::Stop), 1 => Just(FinishReason::Length), 1 => Just(FinishReason::ContentFilter)];
    (prop::bool::weighted(0.8), calls, text, finish).prop_map(|(calling, calls, text, finish)| {
        let reply = Reply::text(text).with_finish(finish);
        let calls = if calling { calls } else { Vec::new() };
        calls
            .into_iter()
            .fold(reply, |reply, (id, name, arguments)| reply.and_call_with_id(id, name, arguments))
    })
}

fn limits() -> impl Strategy<Value = Limits> {
    let deadline = prop_oneof![4 => Just(None), 1 => (1_u64..20).prop_map(|ms| Some(Duration::from_millis(ms)))];
    (1_u32..6, 0_u32..12, deadline, 1_usize..4, prop::sample::select(vec![0, 2, 3]), any::<bool>())
        .prop_map(|(max_steps, max_tool_calls, deadline, max_parallel, repeat_limit, wrap_up)| {
            Limits {
                max_steps,
                max_tool_calls,
                deadline,
                max_parallel,
                repeat_limit,
                wrap_up,
                ..Limits::default()
            }
        })
}

/// What the caller does.
#[derive(Debug, Clone, Copy)]
enum Caller {
    Waits,
    CancelsAfter(Duration),
    DropsAfter(Duration),
}

fn caller() -> impl Strategy<Value = Caller> {
    let soon = || (0_u64..6000).prop_map(Duration::from_micros);
    prop_oneof![
        Just(Caller::Waits),
        soon().prop_map(Caller::CancelsAfter),
        soon().prop_map(Caller::DropsAfter)
    ]
}

static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

/// Drives the run as the caller does.
async fn drive(run: &mut Run, caller: Caller) {
    let longest = Duration::from_secs(20);
    match caller {
        Caller::Waits => {
            drop(tokio::time::timeout(longest, run.drive()).await.expect("the run ends"))
        }
        Caller::DropsAfter(time) => drop(tokio::time::timeout(time, run.drive()).await),
        Caller::CancelsAfter(time) => {
            let cancel = run.cancel_token();
            let cancelling = tokio::spawn(async move {
                tokio::time::sleep(time).await;
                cancel.cancel();
            });
            drop(tokio::time::timeout(longest, run.drive()).await.expect("the run ends"));
            cancelling.abort();
        }
    }
}

fn check(run: &Run, limits: &Limits, asked_at: usize) {
    check_transcript(run.transcript()).unwrap();
    assert!(run.stop().is_some(), "a run that is not driven has stopped");
    let messages = &run.transcript().messages()[asked_at..];
    let count = |is: fn(&Message) -> bool| {
        u32::try_from(messages.iter().filter(|message| is(message)).count()).unwrap()
    };
    let counts = run.counts();
    assert_eq!(counts.tool_calls, count(|message| matches!(message, Message::Tool(_))));
    assert_eq!(counts.steps, count(|message| matches!(message, Message::Assistant(_))));
    assert!(counts.steps <= limits.max_steps + u32::from(limits.wrap_up));
    assert!(
        run.answer().is_err()
            || matches!(run.stop(), Some(StopReason::Answered | StopReason::MaxSteps))
    );
    for message in messages {
        if let Message::Tool(result) = message {
            assert!(!result.content.contains("RAN TWICE"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_run_ends_within_its_limits_with_a_valid_transcript_and_goes_on(
        replies in prop::collection::vec(reply(), 0..8),
        limits in limits(),
        first in caller(),
        second in caller(),
    ) {
        let events = Arc::new(Mutex::new((0_u32, 0_u32, 0_u32)));
        let told = Arc::clone(&events);
        let agent = Agent::builder()
            .model(Strict(ScriptedModel::new(replies)))
            .tools(tools![fast, slow, fail, explode, block, never, fatal])
            .state(Ran::default())
            .limits(limits.clone())
            .on_event(move |event| {
                let mut told = told.lock().unwrap();
                match event {
                    Event::CallFinished { .. } => told.0 += 1,
                    Event::RunStarted { .. } => told.1 += 1,
                    Event::Stopped { error, .. } => {
                        told.2 += 1;
                        assert!(!error.as_ref().is_some_and(|error| error.contains("INVALID")));
                    }
                    _ => {}
                }
            })
            .build()
            .unwrap();
        RUNTIME.block_on(async {
            let mut run = agent.start("first");
            drive(&mut run, first).await;
            let calls = run.counts().tool_calls;
            check(&run, &limits, 0);
            let asked_at = run.transcript().messages().len();
            run.ask("second");
            drive(&mut run, second).await;
            check(&run, &limits, asked_at);
            let told = *events.lock().unwrap();
            assert_eq!(told.0, calls + run.counts().tool_calls, "each call is told of once");
            assert_eq!(told.1, told.2, "each run that was started is told to have stopped");
        });
    }
}
