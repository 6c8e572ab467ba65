//! Time limits bite whatever is at work.

use std::time::{Duration, Instant};

use agent_core::{Agent, FnModel, Limits, Message, Reply, StopReason, tool, tools};
use serde_json::json;
use tests::results;

use super::{limits, run, run_with};

#[tokio::test]
async fn a_tool_over_its_time_is_answered_and_told_so() {
    let step = Reply::call("block", json!({"ms": 10_000})).and_call("watch", json!({}));
    let started = Instant::now();
    let (run, seen) = run([step, Reply::text("done")]).await;
    assert!(started.elapsed() < Duration::from_secs(5));
    let expected =
        "error(timed_out): block did not finish within 20ms; ask it for less, or go on without it";
    assert_eq!(results(run.transcript())[0], expected);
    while seen.ran() == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_deadline_bites_while_a_tool_runs() {
    let deadline = limits(|l| l.deadline = Some(Duration::from_millis(20)));
    let (run, _) = run_with(deadline, [Reply::call("wait", json!({"ms": 60_000}))]).await;
    assert_eq!(run.stop(), Some(StopReason::Deadline));
    assert!(
        results(run.transcript())[0].starts_with("error(cancelled): the run's deadline passed")
    );
}

/// Neither the model nor the tool ever waits, so only the run itself can leave a chance to stop it.
#[tokio::test]
async fn a_run_that_never_waits_is_still_stopped_by_its_deadline_and_by_being_cancelled() {
    #[tool("Take a while without waiting.", inline, register = false)]
    fn busy(n: u64) -> u64 {
        std::thread::sleep(Duration::from_millis(2));
        n
    }
    let agent = |deadline| {
        let mut asked = 0;
        let model = FnModel::new(move |_: &[Message]| {
            asked += 1;
            Ok(Reply::call("busy", json!({"n": asked})))
        });
        let limits =
            Limits { max_steps: 5000, max_tool_calls: 5000, deadline, ..Limits::default() };
        Agent::builder().model(model).tools(tools![busy]).limits(limits).build().unwrap()
    };
    let run = agent(Some(Duration::from_millis(20))).run("go").await.unwrap();
    assert_eq!(run.stop(), Some(StopReason::Deadline));

    let mut run = agent(None).start("go");
    let cancel = run.cancel_token();
    tokio::spawn(async move { cancel.cancel() });
    assert_eq!(run.drive().await.unwrap(), StopReason::Cancelled);

    let mut run = agent(None).start("go");
    assert!(tokio::time::timeout(Duration::from_millis(20), run.drive()).await.is_err());
    assert_eq!(run.stop(), Some(StopReason::Cancelled));
}
