//! What the loop costs: a step at several lengths of history, and the dispatch of one call against
//! `serde_json` into a derived struct.

#![expect(clippy::expect_used, reason = "a benchmark may fail like a test")]

use std::hint::black_box;
use std::time::Duration;

use agent_core::{Agent, Limits, Reply, Run, ScriptedModel, tool, tools};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

#[tool("Look a word up.", read_only, inline, register = false)]
fn look_up(word: &str, from: u32, exact: bool) -> String {
    format!("{word} {from} {exact}")
}

#[tool("Look a word up, on a thread.", read_only, register = false)]
fn look_up_on_thread(word: &str, from: u32, exact: bool) -> String {
    look_up(word, from, exact)
}

#[derive(Deserialize)]
struct LookUp {
    word: String,
    from: u32,
    exact: bool,
}

const ARGUMENTS: &str = r#"{"word": "timeout", "from": 17, "exact": true}"#;
const STEPS: usize = 20;

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

fn call(n: usize) -> Reply {
    Reply::call("look_up", json!({"word": "timeout", "from": n, "exact": true}))
}

fn agent(replies: impl IntoIterator<Item = Reply>) -> Agent {
    let limits = Limits { max_steps: u32::MAX, max_tool_calls: u32::MAX, ..Limits::default() };
    let model = ScriptedModel::new(replies);
    let tools = tools![look_up, look_up_on_thread];
    Agent::builder().model(model).tools(tools).limits(limits).build().expect("an agent")
}

/// A run that has made `steps` steps and is asked for more.
fn after(runtime: &Runtime, steps: usize) -> Run {
    let replies = (0..steps)
        .map(call)
        .chain([Reply::text("done")])
        .chain((0..STEPS).map(call))
        .chain([Reply::text("done")]);
    let mut run = agent(replies).start("What is a timeout?");
    runtime.block_on(run.drive()).expect("a run");
    run.ask("And now?");
    run
}

fn step(criterion: &mut Criterion) {
    let runtime = runtime();
    let mut group = criterion.benchmark_group("step_after");
    group.throughput(Throughput::Elements(STEPS as u64));
    for steps in [50, 200, 1000] {
        group.bench_function(BenchmarkId::from_parameter(steps), |bencher| {
            bencher.iter_batched(
                || after(&runtime, steps),
                |mut run| {
                    runtime.block_on(run.drive()).expect("a run");
                    run
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn dispatch(criterion: &mut Criterion) {
    let runtime = runtime();
    let agent = agent([]);
    let mut group = criterion.benchmark_group("dispatch");
    group.bench_function("serde_json_into_a_struct", |bencher| {
        bencher.iter(|| {
            let LookUp { word, from, exact } =
                serde_json::from_str(black_box(ARGUMENTS)).expect("arguments");
            look_up(&word, from, exact)
        });
    });
    for name in ["look_up", "look_up_on_thread"] {
        group.bench_function(name, |bencher| {
            bencher.to_async(&runtime).iter(|| agent.call(name, Value::from(black_box(ARGUMENTS))));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    targets = step, dispatch
}
criterion_main!(benches);
