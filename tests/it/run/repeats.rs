//! The same calls over and over.

use agent_core::{Limits, Reply, StopReason};
use serde_json::json;
use tests::results;

use super::{counting, run, run_with};

#[tokio::test]
async fn the_third_same_call_is_not_run_and_the_fourth_stops_the_run() {
    let same = |swap: bool| {
        let text = if swap { r#"{"n":1}"# } else { r#" {"n" : 1}"# };
        Reply::call("count", json!(text))
    };
    let (run, seen) = run((0..8).map(|i| same(i % 2 == 0))).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::RepeatedCalls), 2));
    assert_eq!(run.counts().steps, 4);
    assert!(
        results(run.transcript())[2]
            .starts_with("error(repeated): this same call has been made 3 times in a row")
    );
}

#[tokio::test]
async fn repeats_within_one_step_are_counted_too() {
    let mut step = Reply::default();
    for _ in 0..5 {
        step = step.and_call("wait", json!({"ms": 0}));
    }
    let (run, seen) = run([step]).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::RepeatedCalls), 2));
    let kinds: Vec<&str> =
        results(run.transcript()).iter().map(|text| text.split(':').next().unwrap()).collect();
    assert_eq!(
        kinds,
        ["waited 0", "waited 0", "error(repeated)", "error(repeated)", "error(cancelled)"]
    );
}

#[tokio::test]
async fn calls_that_make_progress_are_no_repeats() {
    let (run, _) =
        run((0..7).map(|_| Reply::call("next", json!({}))).chain([Reply::text("done")])).await;
    assert_eq!(run.stop(), Some(StopReason::Answered));
    let (run, _) =
        run_with(Limits::default(), (0..7).map(counting).chain([Reply::text("done")])).await;
    assert_eq!(run.stop(), Some(StopReason::Answered));
}
