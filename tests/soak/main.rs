//! Two thousand runs, 64 at a time, against a server that fails one request in five: every run ends as
//! its plan says, and nothing is left behind.
//!
//! It is a program of its own because it counts what the whole process has allocated.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests may fail like the tests themselves"
)]

mod plan;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agent_core::anthropic::Anthropic;
use agent_core::chat::ChatCompletions;
use agent_core::http::{Retries, Timeouts};
use agent_core::{Agent, Event, Model, Reply, RunError, ToolContext, tool, tools};
use peak_alloc::PeakAlloc;
use plan::{Ending, Plan};
use serde_json::Value;
use tests::check_transcript;
use tests::server::{Answer, Received, Script, Server};
use tokio::sync::Notify;
use tokio::task::JoinSet;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const RUNS: u64 = 2000;
const FIRST_RUNS: u64 = 200;
const SIDE_BY_SIDE: usize = 64;

/// The calls of one run that were executed.
#[derive(Default)]
struct Executed(Mutex<Vec<String>>);

#[tool("Work on a piece.", register = false)]
fn work(#[state] executed: &Executed, #[context] context: &ToolContext, piece: u32) -> u32 {
    let mut calls = executed.0.lock().unwrap_or_else(PoisonError::into_inner);
    calls.push(context.call_id().to_owned());
    piece
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_runs_end_as_planned_and_leave_nothing_behind() {
    let requests = (0..RUNS).map(|n| Plan::of(n).requests());
    let (faulty, good) = requests.fold((0, 0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
    assert!(4 * faulty > good * 95 / 100, "{faulty} of {} requests fail", faulty + good);
    let server = Server::start(script());
    let models = models(&server.url()).unwrap();
    let early = live_bytes_after(0..FIRST_RUNS, &models).await;
    let late = live_bytes_after(FIRST_RUNS..RUNS, &models).await;
    println!("{faulty} of {} requests failed", faulty + good);
    println!("live bytes: {early} after run {FIRST_RUNS}, {late} after run {RUNS}");
    assert_eq!(server.log().refused, Vec::<String>::new());
    assert!(early.abs_diff(late) <= early / 20, "{early} bytes were live, then {late}");
}

type Models = [Arc<dyn Model>; 4];

/// Both protocols, streamed and whole.
fn models(url: &str) -> Result<Models, agent_core::ModelError> {
    let retries = Retries { first_wait: Duration::from_millis(1), ..Retries::default() };
    // Longer than any answer takes, also on a busy machine.
    let silence = Duration::from_secs(2);
    let timeouts = Timeouts { first_byte: silence, idle: silence, ..Timeouts::default() };
    let chat = |stream| {
        let model = ChatCompletions::builder().model("m").base_url(url).stream(stream);
        model.timeouts(timeouts).retries(retries).build()
    };
    let anthropic = |stream| {
        let model = Anthropic::builder().model("m").base_url(url).api_key("k").stream(stream);
        model.timeouts(timeouts).retries(retries).build()
    };
    Ok([
        Arc::new(chat(true)?),
        Arc::new(chat(false)?),
        Arc::new(anthropic(true)?),
        Arc::new(anthropic(false)?),
    ])
}

/// Makes runs, some side by side, and gives the bytes that are live when all have ended.
async fn live_bytes_after(runs: Range<u64>, models: &Models) -> usize {
    let mut going = JoinSet::new();
    for (n, model) in runs.zip(models.iter().cycle()) {
        if going.len() == SIDE_BY_SIDE {
            going.join_next().await.unwrap().unwrap();
        }
        going.spawn(run(n, Arc::clone(model)));
    }
    going.join_all().await;
    // Connections and threads are given the time to end.
    tokio::time::sleep(Duration::from_secs(1)).await;
    ALLOCATED.current_usage()
}

/// Makes a run and checks that all of it is as its plan says.
async fn run(n: u64, model: Arc<dyn Model>) {
    let plan = Plan::of(n);
    let executed = Arc::new(Executed::default());
    let last_step = Arc::new(Notify::new());
    let (asked, last) = (Arc::clone(&last_step), plan.steps.len() as u32 + 1);
    let agent = Agent::builder().model(model).tools(tools![work]);
    let agent = agent.state(Arc::clone(&executed)).on_event(move |event| {
        if matches!(event, Event::StepStarted { step } if *step == last) {
            asked.notify_one();
        }
    });
    let mut run = agent.build().unwrap().start(n.to_string());
    let outcome = if plan.ending == Ending::Dropped {
        tokio::select! {
            outcome = run.drive() => panic!("run {n} was to wait, but ended: {outcome:?}"),
            () = async { last_step.notified().await; pause().await } => None,
        }
    } else {
        Some(run.drive().await)
    };
    match (plan.ending, outcome) {
        (Ending::Stops(planned), Some(Ok(stop))) => assert_eq!(stop, planned, "run {n}"),
        (Ending::Fails(planned), Some(Err(RunError::Model(error)))) => {
            assert_eq!(error.kind(), planned, "run {n}: {error}");
        }
        (Ending::Dropped, None) => {}
        (planned, other) => panic!("run {n} was to end as {planned:?}, but: {other:?}"),
    }
    run.ask(plan::GO_ON);
    check_transcript(run.transcript()).unwrap();
    run.drive().await.unwrap();
    check_transcript(run.transcript()).unwrap();
    let mut calls = std::mem::take(&mut *executed.0.lock().unwrap());
    assert_eq!(calls.len(), plan.good_calls(), "run {n} executed {calls:?}");
    calls.sort_unstable();
    calls.dedup();
    assert_eq!(calls.len(), plan.good_calls(), "run {n} executed one call twice");
    assert_eq!(tests::results(run.transcript()).len(), plan.calls(), "run {n}");
}

async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// Each request is answered as the plan of its run says, faults first, on a connection of its own:
/// how many of them a client keeps is chance, and each is worth more than the runs leave.
fn script() -> Script {
    let tries = Mutex::new(HashMap::<(u64, usize), usize>::new());
    let answer = move |request: &Received| {
        let Asked { run, step, streamed } = Asked::by(request);
        let Some(run) = run else {
            return Answer::reply(Reply::text("Gone on."));
        };
        let plan = Plan::of(run);
        let mut tries = tries.lock().unwrap_or_else(PoisonError::into_inner);
        let tried = tries.entry((run, step)).or_default();
        if let Some(fault) = plan.faults(step).get(*tried) {
            *tried += 1;
            return fault.answer();
        }
        tries.remove(&(run, step));
        plan.answer(step, streamed)
    };
    Script::new(move |request| answer(request).with_header("connection", "close")).forgetful()
}

/// What a request is about: which run, which step of it, and in which form.
struct Asked {
    /// `None` for the last question, which is none of the plan's.
    run: Option<u64>,
    step: usize,
    streamed: bool,
}

impl Asked {
    fn by(request: &Received) -> Self {
        let body = request.json();
        let text = body["messages"].to_string();
        let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let question = match &messages[0]["content"] {
            Value::String(text) => text.clone(),
            blocks => blocks[0]["text"].as_str().unwrap_or_default().to_owned(),
        };
        Self {
            run: question.parse().ok().filter(|_| !text.contains(plan::GO_ON)),
            step: messages.iter().filter(|message| message["role"] == "assistant").count(),
            streamed: body["stream"] == true,
        }
    }
}
