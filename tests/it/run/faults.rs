//! Faults of tools and of the model.

use agent_core::{Reply, RunError, StopReason};
use serde_json::json;
use tests::{check_transcript, results};

use super::{builder, counting, run};

#[tokio::test]
async fn an_unknown_tool_is_answered_with_the_nearest_first_and_costs_a_step_at_most() {
    let (run, _) = run((0..9).map(|_| Reply::call("cuont", json!({})))).await;
    assert_eq!(run.stop(), Some(StopReason::MaxSteps));
    assert!(
        results(run.transcript())[0]
            .starts_with("error(unknown_tool): there is no tool `cuont`; call one of: count, "),
        "{}",
        results(run.transcript())[0]
    );
}

#[tokio::test]
async fn a_panic_stays_in_its_call() {
    let step = Reply::call("div", json!({"a": 1, "b": 0}))
        .and_call("div", json!({"a": 6, "b": 3}))
        .and_call("late_panic", json!({}));
    let (run, _) = run([step, Reply::call("div", json!({"a": 8, "b": 2})), Reply::text("4")]).await;
    let results = results(run.transcript());
    assert!(results[0].starts_with(
        "error(panicked): div stopped on a fault of its own: attempt to divide by zero"
    ));
    assert_eq!(results[1], "2");
    assert!(results[2].contains("out of cheese"));
    assert_eq!((results[3], run.answer()), ("4", Ok("4".to_owned())));
}

#[tokio::test]
async fn a_fatal_error_ends_the_run_and_hands_it_back() {
    let step = Reply::call("give_up", json!({})).and_call("count", json!({}));
    let (builder, seen) = builder([step, Reply::text("still here")]);
    let failed = builder.build().unwrap().run("go").await.unwrap_err();
    assert_eq!(failed.to_string(), "the tool `give_up` ended the run: the disk is gone");
    assert!(matches!(failed.error(), RunError::Tool { tool, .. } if tool == "give_up"));
    let mut run = failed.into_run();
    check_transcript(run.transcript()).unwrap();
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::Error), 0));
    assert!(
        results(run.transcript())[1].starts_with("error(cancelled): the run ended with an error")
    );
    run.ask("again");
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
}

#[tokio::test]
async fn a_model_that_fails_ends_the_run_and_what_ran_is_kept() {
    let (builder, _) = builder([counting(1)]);
    let failed = builder.build().unwrap().run("go").await.unwrap_err();
    assert_eq!(
        format!("{failed:?}"),
        "the model did not answer: the script has no reply left for request 2; give it one more"
    );
    let run = failed.into_run();
    check_transcript(run.transcript()).unwrap();
    assert_eq!((results(run.transcript()), run.counts().steps), (vec!["1"], 1));
}
