//! The budget of tokens.

use agent_core::{Reply, StopReason, Usage};
use serde_json::json;
use tests::results;

use super::{counting, limits, run_with};

fn using(reply: Reply, tokens: u64) -> Reply {
    reply.with_usage(Usage { prompt_tokens: tokens - 1, completion_tokens: 1, cached_tokens: 0 })
}

#[tokio::test]
async fn no_request_is_made_once_the_budget_is_used_up() {
    let replies = (0..9).map(|n| using(counting(n), 10));
    let (run, seen) = run_with(limits(|l| l.token_budget = Some(30)), replies).await;
    assert_eq!((run.stop(), run.counts().steps), (Some(StopReason::TokenBudget), 3));
    assert_eq!(run.counts().usage.total(), 30);
    assert_eq!(seen.ran(), 2, "the results of the last calls would never be read");
    let told =
        "error(cancelled): the run's budget of tokens is used up; call again if it is still needed";
    assert_eq!(results(run.transcript())[2], told);
}

#[tokio::test]
async fn an_answer_over_the_budget_is_an_answer() {
    let replies = [using(counting(1), 10), using(Reply::text("one"), 500)];
    let (run, _) = run_with(limits(|l| l.token_budget = Some(20)), replies).await;
    assert_eq!((run.stop(), run.answer().unwrap()), (Some(StopReason::Answered), "one".to_owned()));
}

#[tokio::test]
async fn the_wrap_up_is_not_asked_for_over_the_budget() {
    let budget = limits(|l| (l.max_steps, l.wrap_up, l.token_budget) = (1, true, Some(10)));
    let (run, _) = run_with(budget, [using(counting(1), 10), Reply::text("one")]).await;
    assert_eq!((run.stop(), run.counts().steps), (Some(StopReason::TokenBudget), 1));
}

#[tokio::test]
async fn usage_beyond_any_count_is_held_and_not_wrapped_around() {
    let most = Usage { prompt_tokens: u64::MAX, completion_tokens: u64::MAX, cached_tokens: 7 };
    let replies =
        [counting(1), counting(2), Reply::text("two")].map(|reply| reply.with_usage(most));
    let (run, _) = run_with(limits(|_| {}), replies).await;
    assert_eq!((run.stop(), run.counts().usage.total()), (Some(StopReason::Answered), u64::MAX));
    let (run, _) = run_with(
        limits(|l| l.token_budget = Some(u64::MAX)),
        [Reply::call("count", json!({})).with_usage(most)],
    )
    .await;
    assert_eq!(run.stop(), Some(StopReason::TokenBudget));
}
