//! The limit of tool calls.

use agent_core::{Reply, StopReason};
use serde_json::json;
use tests::results;

use super::{counting, limits, run_with};

#[tokio::test]
async fn calls_beyond_the_limit_of_calls_are_not_run_and_the_run_stops() {
    let step = counting(1).and_call("count", json!({"n": 2})).and_call("count", json!({"n": 3}));
    let (run, seen) = run_with(limits(|l| l.max_tool_calls = 2), [step]).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::MaxToolCalls), 2));
    assert_eq!(run.counts().tool_calls, 3);
    assert!(
        results(run.transcript())[2]
            .starts_with("error(cancelled): the run's limit of tool calls is reached")
    );
}

#[tokio::test]
async fn a_limit_of_calls_that_is_just_reached_leaves_room_to_answer() {
    let (run, _) =
        run_with(limits(|l| l.max_tool_calls = 1), [counting(1), Reply::text("one")]).await;
    assert_eq!(run.stop(), Some(StopReason::Answered));
}
