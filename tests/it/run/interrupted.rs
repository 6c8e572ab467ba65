//! Cancelled runs and dropped futures: nothing that is done is lost.

use std::time::Duration;

use agent_core::{Reply, StopReason};
use serde_json::json;
use tests::{check_transcript, results};

use super::builder;

#[tokio::test]
async fn a_cancelled_run_keeps_what_is_done_and_can_be_continued() {
    let step = Reply::call("wait", json!({"ms": 1})).and_call("wait", json!({"ms": 60_000}));
    let (builder, _) = builder([step, Reply::text("going on")]);
    let mut run = builder.build().unwrap().start("go");
    let cancel = run.cancel_token();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    });
    assert_eq!(run.drive().await.unwrap(), StopReason::Cancelled);
    let expected = [
        "waited 1",
        "error(cancelled): the run was cancelled while the call was pending; call again if it is still needed",
    ];
    assert_eq!(results(run.transcript()), expected);
    run.ask("and now?");
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    check_transcript(run.transcript()).unwrap();
}

#[tokio::test]
async fn a_dropped_future_leaves_a_valid_transcript_with_finished_results() {
    let step = Reply::call("next", json!({})).and_call("wait", json!({"ms": 60_000}));
    let (builder, seen) = builder([step, Reply::text("going on")]);
    let mut run = builder.build().unwrap().start("go");
    let _ = tokio::time::timeout(Duration::from_millis(50), run.drive()).await.unwrap_err();
    check_transcript(run.transcript()).unwrap();
    assert_eq!(run.stop(), Some(StopReason::Cancelled));
    assert_eq!((results(run.transcript())[0], seen.ran()), ("0", 1));
    run.ask("and now?");
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    check_transcript(run.transcript()).unwrap();
}

/// A tool on a thread may finish when no one polls: its result is there all the same.
#[tokio::test]
async fn a_result_that_no_one_has_looked_at_is_kept_when_the_future_is_dropped() {
    let (builder, seen) = builder([Reply::call("slow", json!({}))]);
    let mut run = builder.build().unwrap().start("go");
    {
        let mut drive = std::pin::pin!(run.drive());
        // The run gives way to others now and then, so it takes a few polls to come to the tool.
        for _ in 0..10 {
            assert!(poll_once(drive.as_mut()).is_none());
        }
        while seen.ran() == 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(results(run.transcript()), ["slowly done"]);
}

fn poll_once<F: Future>(future: std::pin::Pin<&mut F>) -> Option<F::Output> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match future.poll(&mut context) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}
