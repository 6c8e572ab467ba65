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
