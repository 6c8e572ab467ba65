//! Steps: what one is, and what the last one leaves.

use std::sync::Arc;

use agent_core::{Reply, ScriptedModel, StopReason};
use tests::{check_transcript, results};

use super::{builder, counting, limits, run_with};

#[tokio::test]
async fn a_step_is_one_model_request_and_the_last_calls_have_results() {
    for max_steps in [1, 3] {
        let replies = (0..9).map(counting);
        let (run, seen) = run_with(limits(|l| l.max_steps = max_steps), replies).await;
        assert_eq!(run.stop(), Some(StopReason::MaxSteps));
        assert_eq!(
            (run.counts().steps, run.counts().tool_calls, seen.ran()),
            (max_steps, max_steps, max_steps)
        );
        assert_eq!(
            run.answer().unwrap_err().to_string(),
            "the run stopped without an answer: max_steps"
        );
    }
}

#[test]
fn no_steps_are_refused_when_the_agent_is_built() {
    let (builder, _) = builder([]);
    let error = builder.max_steps(0).build().unwrap_err();
    assert_eq!(error.to_string(), "the limit max_steps cannot be 0; it is at least 1");
}

#[tokio::test]
async fn the_wrap_up_is_one_more_request_without_tools() {
    let script = Arc::new(ScriptedModel::new([counting(1), Reply::text("about 1")]));
    let sent = Arc::clone(&script);
    let (builder, _) = builder([]);
    let wrap_up = limits(|l| (l.max_steps, l.wrap_up) = (1, true));
    let run = builder.model(script).limits(wrap_up).build().unwrap().run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    assert_eq!((run.stop(), run.answer()), (Some(StopReason::MaxSteps), Ok("about 1".to_owned())));
    assert_eq!(run.counts().steps, 2);
    let sent = sent.sent();
    assert_eq!((sent[0].tools.len(), sent[1].tools.len()), (10, 0));
    assert_eq!((sent[0].messages.clone(), sent[1].messages.clone()), (0..1, 0..4));
}

#[tokio::test]
async fn a_call_in_the_wrap_up_is_answered_and_not_run() {
    let wrap_up = limits(|l| (l.max_steps, l.wrap_up) = (1, true));
    let (run, seen) = run_with(wrap_up, [counting(1), counting(2)]).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::MaxSteps), 1));
    assert_eq!(
        results(run.transcript())[1],
        "error(unknown_tool): there is no tool `count`; there are no tools now; answer in text"
    );
}
