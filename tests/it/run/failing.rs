//! Steps that come to nothing but errors.

use agent_core::{Limits, Reply, StopReason};
use serde_json::json;
use tests::results;

use super::{counting, limits, run, run_with};

/// A step that fails, each in a way of its own.
fn failing(n: i64) -> Reply {
    Reply::call("div", json!({"a": n, "b": 0}))
}

#[tokio::test]
async fn steps_that_all_fail_stop_the_run_at_the_limit() {
    let (run, _) = run_with(limits(|l| l.failing_limit = 3), (0..9).map(failing)).await;
    assert_eq!((run.stop(), run.counts().steps), (Some(StopReason::Failing), 3));
    assert!(results(run.transcript()).iter().all(|text| text.starts_with("error(panicked): ")));
    assert_eq!(run.answer().unwrap_err().to_string(), "the run stopped without an answer: failing");
}

#[tokio::test]
async fn every_kind_of_error_counts() {
    let steps = [
        failing(1),
        Reply::call("cuont", json!({})),
        Reply::call("count", json!({"n": "many"})),
        Reply::call("count", json!("{")),
        Reply::call("block", json!({"ms": 10_000})),
    ];
    let more = limits(|l| (l.max_steps, l.failing_limit) = (20, 5));
    let (run, _) = run_with(more, steps).await;
    assert_eq!((run.stop(), run.counts().steps), (Some(StopReason::Failing), 5));
}

#[tokio::test]
async fn one_call_that_succeeds_starts_the_count_anew() {
    let steps = [
        failing(1),
        failing(2),
        counting(1),
        failing(3),
        failing(4),
        Reply::call("div", json!({"a": 5, "b": 0})).and_call("count", json!({"n": 2})),
        failing(6),
        failing(7),
        Reply::text("done"),
    ];
    let more = limits(|l| (l.max_steps, l.failing_limit) = (20, 3));
    let (run, _) = run_with(more, steps).await;
    assert_eq!((run.stop(), run.counts().steps), (Some(StopReason::Answered), 9));
}

#[tokio::test]
async fn no_limit_of_failing_leaves_it_to_the_others() {
    let more = limits(|l| (l.max_steps, l.failing_limit) = (20, 0));
    let (run, _) = run_with(more, (0..30).map(failing)).await;
    assert_eq!((run.stop(), run.counts().steps), (Some(StopReason::MaxSteps), 20));
}

#[tokio::test]
async fn an_unknown_tool_called_for_ever_ends_at_the_limit_of_steps() {
    let (run, _) = run((0..30).map(|_| Reply::call("reed_doc", json!({})))).await;
    let expected = (Some(StopReason::MaxSteps), Limits::default().max_steps);
    assert_eq!((run.stop(), run.counts().steps), expected);
    let more = limits(|l| l.max_steps = 20);
    let (run, _) = run_with(more, (0..30).map(|_| Reply::call("reed_doc", json!({})))).await;
    assert_eq!((run.stop(), run.counts().steps), (Some(StopReason::Failing), 8));
}
