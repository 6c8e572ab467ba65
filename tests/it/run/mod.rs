//! The run: counting, limits, faults, cancelling.

mod batches;
mod budget;
mod calls;
mod events;
mod failing;
mod faults;
mod interrupted;
mod repeats;
mod replies;
mod steps;
mod time;
mod value;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use agent_core::{
    Agent, AgentBuilder, Limits, Reply, Run, ScriptedModel, ToolContext, ToolError, tool, tools,
};
use serde_json::json;
use tests::check_transcript;

/// How often tools ran, and how many at once.
#[derive(Default)]
struct Seen {
    ran: AtomicU32,
    now: AtomicU32,
    most: AtomicU32,
}

impl Seen {
    fn ran(&self) -> u32 {
        self.ran.load(Ordering::SeqCst)
    }
}

#[tool("Count the calls.", register = false, inline)]
fn count(#[state] seen: &Seen, n: Option<i64>) -> i64 {
    seen.ran.fetch_add(1, Ordering::SeqCst);
    n.unwrap_or_default()
}

#[tool("Count up at each call.", register = false)]
fn next(#[state] seen: &Seen) -> u32 {
    seen.ran.fetch_add(1, Ordering::SeqCst)
}

#[tool("Take a while.", register = false)]
fn slow(#[state] seen: &Seen) -> &'static str {
    std::thread::sleep(Duration::from_millis(30));
    seen.ran.fetch_add(1, Ordering::SeqCst);
    "slowly done"
}

#[tool("Divide a by b.", register = false)]
fn div(a: i64, b: i64) -> i64 {
    a / b
}

#[tool("Wait, then answer.", read_only, register = false)]
async fn wait(#[state] seen: Arc<Seen>, ms: u64) -> String {
    let now = seen.now.fetch_add(1, Ordering::SeqCst) + 1;
    seen.most.fetch_max(now, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(ms)).await;
    seen.now.fetch_sub(1, Ordering::SeqCst);
    seen.ran.fetch_add(1, Ordering::SeqCst);
    format!("waited {ms}")
}

#[tool("Wait, changing something.", register = false)]
async fn change(#[state] seen: Arc<Seen>, ms: u64) -> String {
    let now = seen.now.fetch_add(1, Ordering::SeqCst) + 1;
    seen.most.fetch_max(now, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_millis(ms)).await;
    seen.now.fetch_sub(1, Ordering::SeqCst);
    "changed".to_owned()
}

#[tool("Panic after a while.", register = false)]
async fn late_panic() -> String {
    tokio::time::sleep(Duration::from_millis(1)).await;
    panic!("out of cheese")
}

#[tool("Block the thread.", timeout = "20ms", register = false)]
fn block(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

#[tool("Wait until no one waits for the result.", timeout = "20ms", register = false)]
fn watch(#[state] seen: &Seen, #[context] context: &ToolContext) {
    while !context.is_cancelled() {
        std::thread::sleep(Duration::from_millis(1));
    }
    seen.ran.fetch_add(1, Ordering::SeqCst);
}

#[tool("End the run.", register = false)]
fn give_up() -> Result<(), ToolError> {
    Err(ToolError::fatal("the disk is gone"))
}

fn builder(replies: impl IntoIterator<Item = Reply>) -> (AgentBuilder, Arc<Seen>) {
    let seen = Arc::new(Seen::default());
    let agent = Agent::builder()
        .model(ScriptedModel::new(replies))
        .tools(tools![count, next, div, wait, change, late_panic, block, watch, give_up, slow])
        .state(Arc::clone(&seen));
    (agent, seen)
}

/// Runs a script under limits.
async fn run_with(limits: Limits, replies: impl IntoIterator<Item = Reply>) -> (Run, Arc<Seen>) {
    let (builder, seen) = builder(replies);
    let run = builder.limits(limits).build().unwrap().run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    (run, seen)
}

async fn run(replies: impl IntoIterator<Item = Reply>) -> (Run, Arc<Seen>) {
    run_with(Limits::default(), replies).await
}

fn limits(set: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    set(&mut limits);
    limits
}

fn counting(n: i64) -> Reply {
    Reply::call("count", json!({"n": n}))
}
