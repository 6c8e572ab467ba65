//! Ten thousand runs at one time on two threads, with a model that takes 50 ms: what a run takes of
//! memory, and how late it is served. Then the same while further runs call tools that block.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on has nothing to say")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agent_core::model::{BoxFuture, ModelError, Request};
use agent_core::{Agent, Model, Reply, StopReason, tool, tools};
use peak_alloc::PeakAlloc;
use serde_json::json;
use tokio::task::JoinSet;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

const RUNS: usize = 10_000;
/// Model requests of each run.
const STEPS: u32 = 5;
const MODEL_TIME: Duration = Duration::from_millis(50);
/// Runs that call a tool which blocks its thread, at each step.
const BLOCKING: usize = 100;
const BLOCKED: Duration = Duration::from_millis(200);

#[tool("Look a word up.", read_only, inline, register = false)]
fn look_up(word: &str, step: u32) -> String {
    format!("{word}: a line about it, number {step}")
}

#[tool("Block the thread.", register = false)]
fn block() {
    std::thread::sleep(BLOCKED);
}

/// Takes its time, and notes how much later than that it was woken.
struct Slow {
    tool: &'static str,
    late: Arc<Late>,
}

/// How late requests were answered, in microseconds.
#[derive(Default)]
struct Late(Mutex<Vec<u64>>);

impl Model for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let asked = Instant::now();
            tokio::time::sleep(MODEL_TIME).await;
            let late = asked.elapsed().saturating_sub(MODEL_TIME);
            let late = u64::try_from(late.as_micros()).unwrap_or(u64::MAX);
            self.late.0.lock().unwrap_or_else(PoisonError::into_inner).push(late);
            // The question, and two messages a step.
            let step = u32::try_from(request.messages.len() / 2).unwrap_or(u32::MAX) + 1;
            Ok(match step {
                STEPS.. => Reply::text("That is all there is."),
                _ if self.tool == "block" => Reply::call("block", json!({})),
                _ => Reply::call("look_up", json!({"word": "timeout", "step": step})),
            })
        })
    }
}

fn agent(tool: &'static str, late: &Arc<Late>) -> Agent {
    let model = Slow { tool, late: Arc::clone(late) };
    let limits = agent_core::Limits { repeat_limit: 0, ..Default::default() };
    let agent = Agent::builder().model(model).tools(tools![look_up, block]).limits(limits);
    agent.build().expect("an agent")
}

fn main() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    println!("{RUNS} runs of {STEPS} steps, a model of {MODEL_TIME:?}, two threads:");
    runtime.block_on(measure(Duration::ZERO, 0));
    println!("the same, begun over {MODEL_TIME:?} and not all at once:");
    runtime.block_on(measure(MODEL_TIME, 0));
    println!("beside {BLOCKING} runs whose tool blocks for {BLOCKED:?} at each step:");
    runtime.block_on(measure(MODEL_TIME, BLOCKING));
}

async fn measure(over: Duration, blocking: usize) {
    let (late, other) = (Arc::new(Late::default()), Arc::new(Late::default()));
    let (quick, blocked) = (agent("look_up", &late), agent("block", &other));
    let before = ALLOCATED.current_usage();
    let mut runs = JoinSet::new();
    let answered = Arc::new(AtomicU64::new(0));
    let start = Instant::now();
    for n in 0..RUNS + blocking {
        let agent = if n < RUNS { quick.clone() } else { blocked.clone() };
        let answered = Arc::clone(&answered);
        let begin = over * u32::try_from(n % 1000).unwrap_or(0) / 1000;
        runs.spawn(async move {
            tokio::time::sleep(begin).await;
            let run = agent.run("What is a timeout?").await.expect("a run");
            if run.stop() == Some(StopReason::Answered) {
                answered.fetch_add(1, Ordering::Relaxed);
            }
            run
        });
    }
    tokio::time::sleep(MODEL_TIME * 2).await;
    let during = ALLOCATED.current_usage().saturating_sub(before);
    // Kept until all have ended, so that memory is that of all of them.
    let mut ended = Vec::with_capacity(RUNS);
    while let Some(run) = runs.join_next().await {
        ended.push(run.expect("no panic"));
    }
    let all = RUNS + blocking;
    let after = ALLOCATED.current_usage().saturating_sub(before);
    let mut late = std::mem::take(&mut *late.0.lock().unwrap_or_else(PoisonError::into_inner));
    late.sort_unstable();
    let part = |percent: usize| late.get(late.len() * percent / 100).copied().unwrap_or_default();
    println!(
        "  answered     {:>9} of {all}, in {:.2?}",
        answered.load(Ordering::Relaxed),
        start.elapsed()
    );
    println!(
        "  a run takes  {:>9} bytes at its second step, {} when it has ended",
        during / all,
        after / all
    );
    let last = late.last().copied().unwrap_or_default();
    println!(
        "  served late  {:>9} us in the middle, {} us for one in a hundred, {last} us at most",
        part(50),
        part(99)
    );
}
