//! Budgets: tokens and money of a run, and the tokens of a day.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use agent_core::model::{BoxFuture, ModelError};
use agent_core::{
    Agent, Cost, DailyBudget, FnModel, Limits, Message, Model, Prices, Reply, Request, Run,
    RunError, StopReason, Usage, tool, tools,
};
use serde_json::json;
use tests::results;

#[tool("Dig deeper.", register = false, inline)]
fn dig(#[state] dug: &AtomicU32, n: u32) -> u32 {
    dug.fetch_add(1, Ordering::SeqCst);
    n
}

/// A model that digs for ever, at these tokens a step.
fn digger(usage: Usage) -> impl Model + 'static {
    let mut n = 0;
    FnModel::new(move |_: &[Message]| {
        n += 1;
        Ok(Reply::call("dig", json!({"n": n})).with_usage(usage))
    })
}

const STEP: Usage = Usage { prompt_tokens: 80, completion_tokens: 20, cached_tokens: 0 };

fn agent(model: impl Model + 'static, limits: Limits) -> (Agent, Arc<AtomicU32>) {
    let dug = Arc::new(AtomicU32::new(0));
    let limits = Limits { max_steps: 50, ..limits };
    let agent = Agent::builder().model(model).tools(tools![dig]).state(Arc::clone(&dug));
    (agent.limits(limits).build().unwrap(), dug)
}

async fn dug_until_stopped(model: impl Model + 'static, limits: Limits) -> (Run, u32) {
    let (agent, dug) = agent(model, limits);
    (agent.run("Dig.").await.unwrap(), dug.load(Ordering::SeqCst))
}

#[tokio::test]
async fn no_request_is_made_and_no_tool_is_run_once_the_tokens_are_used_up() {
    let limits = Limits { token_budget: Some(250), ..Limits::default() };
    let (run, dug) = dug_until_stopped(digger(STEP), limits).await;
    assert_eq!(run.stop(), Some(StopReason::TokenBudget));
    assert_eq!((run.counts().steps, run.counts().usage.total(), dug), (3, 300, 2));
    let last = results(run.transcript())[2];
    assert!(last.starts_with("error(cancelled): the run's budget of tokens is used up"), "{last}");
}

#[tokio::test]
async fn an_answer_that_is_there_is_given_also_when_it_used_the_last_token() {
    let limits = Limits { token_budget: Some(10), ..Limits::default() };
    let model = FnModel::new(|_: &[Message]| Ok(Reply::text("Here.").with_usage(STEP)));
    let (run, _) = dug_until_stopped(model, limits).await;
    assert_eq!(run.answer().unwrap(), "Here.");
}

#[tokio::test]
async fn a_server_that_counts_no_tokens_does_not_make_the_budget_void() {
    let limits = Limits { token_budget: Some(2000), ..Limits::default() };
    let (run, dug) = dug_until_stopped(digger(Usage::default()), limits).await;
    assert_eq!(run.stop(), Some(StopReason::TokenBudget));
    assert!((3..30).contains(&dug), "{dug} steps");
    assert_eq!(run.counts().usage, Usage::default(), "what is told is what the provider counted");
}

/// A model with prices.
struct Priced<M>(M);

impl<M: Model> Model for Priced<M> {
    fn name(&self) -> &str {
        "priced"
    }

    fn prices(&self) -> Option<Prices> {
        Prices::new(1.0, 10.0).ok()
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        self.0.reply(request)
    }
}

#[tokio::test]
async fn money_is_reckoned_and_held_to_where_the_model_has_prices() {
    // 80 x $1 + 20 x $10 a million, or 280 millionths of a dollar a step.
    let budget = Some(Cost::from_dollars(0.0006).unwrap());
    let limits = Limits { cost_budget: budget, ..Limits::default() };
    let (run, dug) = dug_until_stopped(Priced(digger(STEP)), limits.clone()).await;
    assert_eq!((run.stop(), dug), (Some(StopReason::CostBudget), 2));
    assert_eq!(run.cost(), Some(Cost::from_dollars(0.00084).unwrap()));

    let refused = Agent::builder().model(digger(STEP)).tools([]).limits(limits).build();
    let error = refused.unwrap_err().to_string();
    assert!(error.starts_with("the limit cost_budget needs prices"), "{error}");
}

fn daily(tokens: u64, file: &Path) -> Limits {
    let daily_budget = Some(DailyBudget { tokens, file: file.to_owned() });
    Limits { daily_budget, ..Limits::default() }
}

#[tokio::test]
async fn runs_of_several_agents_share_the_tokens_of_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("budget.json");
    let limits = daily(450, &file);
    let (first, _) =
        dug_until_stopped(digger(STEP), Limits { max_steps: 3, ..limits.clone() }).await;
    let used = |limits: &Limits| limits.daily_budget.as_ref().unwrap().usage().unwrap().used;
    assert!(first.stop() == Some(StopReason::DailyBudget) && used(&limits) >= 450);
    let (second, dug) = dug_until_stopped(digger(STEP), limits.clone()).await;
    assert_eq!((second.stop(), second.counts().steps, dug), (Some(StopReason::DailyBudget), 0, 0));
    assert_eq!(used(&limits), first.counts().usage.total(), "what was expected is put right");
}

#[tokio::test]
async fn what_an_agent_that_is_a_tool_uses_is_taken_from_the_callers_day() {
    let folder = tempfile::tempdir().unwrap();
    let limits = daily(1000, &folder.path().join("budget.json"));
    let (inner, _) = agent(digger(STEP), Limits::default());
    let tool = inner.as_tool("ask", "Ask.").unwrap();
    let mut asked = 0;
    let model = FnModel::new(move |_: &[Message]| {
        asked += 1;
        Ok(Reply::call("ask", json!({"question": format!("{asked}?")})).with_usage(STEP))
    });
    let outer = Agent::builder().model(model).tools([tool]).limits(limits.clone()).build().unwrap();
    let run = outer.run("Find out.").await.unwrap();
    assert_eq!(run.stop(), Some(StopReason::DailyBudget));
    assert!(
        results(run.transcript())[0].contains("daily_budget"),
        "{:?}",
        results(run.transcript())
    );
    let used = limits.daily_budget.unwrap().usage().unwrap().used;
    assert_eq!(used, run.counts().usage.total());
    assert!((1000..1200).contains(&used), "{used}");
}

#[tokio::test]
async fn a_budget_file_that_cannot_be_kept_ends_the_run_with_a_clear_error_and_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("budget.json");
    std::fs::write(&file, "{\"version\":1,\"day\":").unwrap();
    let (agent, dug) = agent(digger(STEP), daily(1000, &file));
    let failed = agent.run("Dig.").await.unwrap_err();
    assert!(matches!(failed.error(), RunError::Budget(_)));
    let told = failed.to_string();
    assert!(told.contains("budget.json") && told.contains("repair it, or remove it"), "{told}");
    assert_eq!(failed.into_run().stop(), Some(StopReason::Error));
    assert_eq!(dug.load(Ordering::SeqCst), 0);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{\"version\":1,\"day\":");
}
