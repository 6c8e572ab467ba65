//! Idempotency keys: one for each call, the same whenever that call is made again.

use std::collections::HashSet;

use agent_core::agent::{Approval, ApprovalRequest, SavedRun};
use agent_core::{Agent, Reply, ScriptedModel, StopReason, ToolContext, tool, tools};
use serde_json::json;
use tests::results;

#[tool("Tell the key.", inline, register = false)]
fn key(#[context] context: &ToolContext) -> String {
    context.idempotency_key()
}

#[tool("Tell the key, if allowed.", needs_approval, inline, register = false)]
fn allowed_key(#[context] context: &ToolContext) -> String {
    context.idempotency_key()
}

fn agent(replies: impl IntoIterator<Item = Reply>) -> Agent {
    Agent::builder()
        .model(ScriptedModel::new(replies))
        .tools(tools![key, allowed_key])
        .approver(|_: &ApprovalRequest<'_>| Approval::Later)
        .build()
        .unwrap()
}

fn keys(times: usize) -> Reply {
    (0..times).fold(Reply::default(), |reply, _| reply.and_call_with_id("same", "key", json!({})))
}

fn done() -> Reply {
    Reply::text("done")
}

#[tokio::test]
async fn keys_differ_between_calls_steps_questions_runs_and_direct_calls() {
    let mut told = HashSet::new();
    for _ in 0..2 {
        let agent = agent([keys(2), keys(1), keys(2), done(), keys(1), done()]);
        let mut session = agent.session();
        session.ask("first").await.unwrap();
        session.ask("second").await.unwrap();
        told.extend(results(session.transcript()).into_iter().map(str::to_owned));
        told.insert(agent.call("key", json!({})).await.content);
        told.insert(agent.call("key", json!({})).await.content);
    }
    assert_eq!(told.len(), 2 * (6 + 2), "{told:?}");
    let plain = |key: &String| key.chars().all(|c| c.is_ascii_alphanumeric() || "-.".contains(c));
    assert!(told.iter().all(plain), "{told:?}");
}

#[tokio::test]
async fn keys_are_the_same_whenever_a_run_goes_on_from_what_was_saved() {
    let step = keys(1).and_call("allowed_key", json!({})).and_call("key", json!({}));
    let mut run = agent([step]).start("go");
    assert_eq!(run.drive().await.unwrap(), StopReason::AwaitingApproval);
    let saved = serde_json::to_string(&run.save()).unwrap();
    let mut ends = Vec::new();
    for _ in 0..2 {
        let saved: SavedRun = serde_json::from_str(&saved).unwrap();
        assert_eq!(saved.id(), run.id());
        let mut run = agent([keys(1), done()]).restore(saved).unwrap();
        let pending = run.pending();
        run.decide(&pending[0], Approval::Allow).unwrap();
        assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
        ends.push(results(run.transcript()).into_iter().map(str::to_owned).collect::<Vec<_>>());
    }
    assert_eq!(ends[0], ends[1]);
    assert_eq!(ends[0].iter().collect::<HashSet<_>>().len(), 4, "{ends:?}");
}

#[tool("Pay, if allowed.", needs_approval, inline, register = false)]
fn pay(#[context] context: &ToolContext, cents: u32, #[arg(secret)] pin: u32) -> String {
    let _ = (cents, pin);
    context.idempotency_key()
}

/// What a run that is saved, and whose model then asks for something else, comes to.
async fn paid(cents: u32, pin: u32) -> String {
    let start = serde_json::to_string(&agent([]).start("pay").save()).unwrap();
    let start: serde_json::Value = serde_json::from_str(&start).unwrap();
    let mut saved = start.clone();
    saved["run_id"] = json!("one run");
    let model = ScriptedModel::new([
        Reply::call("pay", json!({"cents": cents, "pin": pin})),
        Reply::text("done"),
    ]);
    let agent = Agent::builder()
        .model(model)
        .tools(tools![pay])
        .approve_with(|_| Approval::Allow)
        .build()
        .unwrap();
    let mut run = agent.restore(serde_json::from_value(saved).unwrap()).unwrap();
    run.drive().await.unwrap();
    results(run.transcript())[0].to_owned()
}

#[tokio::test]
async fn a_key_is_that_of_the_arguments_too_but_not_of_secrets() {
    let one = paid(5, 1234).await;
    assert_eq!(one, paid(5, 1234).await, "the same call, made again after a restore");
    assert_ne!(one, paid(700, 1234).await, "another call, made at the same place");
    assert_eq!(one, paid(5, 4321).await, "nothing of a secret is in the key");
}
