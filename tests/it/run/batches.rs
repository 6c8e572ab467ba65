//! What runs side by side, and what alone.

use std::sync::atomic::Ordering;

use agent_core::Reply;
use serde_json::json;
use tests::results;

use super::{limits, run, run_with};

#[tokio::test]
async fn reads_run_side_by_side_and_results_keep_the_order_of_the_calls() {
    let step = Reply::call("wait", json!({"ms": 40}))
        .and_call("wait", json!({"ms": 20}))
        .and_call("wait", json!({"ms": 1}));
    let (run, seen) = run([step, Reply::text("done")]).await;
    assert_eq!(results(run.transcript()), ["waited 40", "waited 20", "waited 1"]);
    assert_eq!(seen.most.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn reads_are_bounded_by_max_parallel() {
    let step = (0..12).fold(Reply::default(), |step, ms| step.and_call("wait", json!({"ms": ms})));
    let (_, seen) = run_with(limits(|l| l.max_parallel = 2), [step, Reply::text("done")]).await;
    assert_eq!((seen.most.load(Ordering::SeqCst), seen.ran()), (2, 12));
}

#[tokio::test]
async fn a_call_that_changes_something_runs_alone() {
    let step = Reply::call("change", json!({"ms": 5}))
        .and_call("change", json!({"ms": 6}))
        .and_call("wait", json!({"ms": 5}))
        .and_call("change", json!({"ms": 7}));
    let (_, seen) = run([step, Reply::text("done")]).await;
    assert_eq!(seen.most.load(Ordering::SeqCst), 1);
}
