//! The same calls over and over.

use agent_core::{Limits, Reply, StopReason};
use serde_json::json;
use tests::results;

use super::{builder, counting, limits, run, run_with};

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
async fn the_order_of_keys_makes_no_other_call() {
    let orders = [r#"{"a": 8, "b": 2}"#, r#"{"b": 2, "a": 8}"#];
    let (run, _) = run((0..8).map(|n| Reply::call("div", json!(orders[n % 2])))).await;
    assert_eq!((run.stop(), run.counts().steps), (Some(StopReason::RepeatedCalls), 4));
    assert_eq!(results(run.transcript())[..2], ["4", "4"]);
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

fn two_in_turn(rounds: usize) -> impl Iterator<Item = Reply> {
    (0..rounds).flat_map(|_| [counting(1), counting(2)])
}

#[tokio::test]
async fn two_calls_in_turn_are_refused_in_the_third_round_and_stop_the_run_after_it() {
    let (run, seen) = run(two_in_turn(4)).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::RepeatedCalls), 4));
    assert_eq!(run.counts().steps, 6);
    assert!(
        results(run.transcript())[4].starts_with(
            "error(repeated): this call and the one before it have been made 3 times in turn"
        ),
        "{:?}",
        results(run.transcript())
    );
}

#[tokio::test]
async fn two_calls_in_turn_are_caught_within_one_step_too() {
    let step = (0..6).fold(Reply::default(), |step, n| step.and_call("wait", json!({"ms": n % 2})));
    let (run, seen) = run([step]).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::RepeatedCalls), 4));
}

#[tokio::test]
async fn three_calls_in_turn_are_no_circle() {
    let rounds = (0..4).flat_map(|_| [counting(1), counting(2), counting(3)]);
    let more = limits(|l| l.max_steps = 20);
    let (run, seen) = run_with(more, rounds.chain([Reply::text("done")])).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::Answered), 12));
}

#[tokio::test]
async fn a_call_whose_result_changes_may_be_made_in_turn_with_another_for_ever() {
    let rounds = (0..9).flat_map(|_| [Reply::call("next", json!({})), counting(1)]);
    let more = limits(|l| l.max_steps = 20);
    let (run, seen) = run_with(more, rounds.chain([Reply::text("done")])).await;
    assert_eq!((run.stop(), seen.ran()), (Some(StopReason::Answered), 18));
}

#[tokio::test]
async fn a_further_question_starts_the_count_anew() {
    let same = || [counting(1), counting(1), Reply::text("one")];
    let (builder, seen) = builder(same().into_iter().chain(same()));
    let mut run = builder.build().unwrap().run("go").await.unwrap();
    run.ask("and again?");
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    assert_eq!(seen.ran(), 4);
}
