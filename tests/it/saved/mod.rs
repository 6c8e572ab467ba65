//! A run as data: kept, and gone on from elsewhere.

mod anywhere;
mod elsewhere;
mod faulty;
mod keys;
mod killed;

use agent_core::agent::{Approval, ApprovalRequest, SavedRun};
use agent_core::{Agent, AgentBuilder, Reply, ScriptedModel, StopReason, tool, tools};
use serde_json::{Value, json};

#[tool("Look.", read_only, inline, register = false)]
fn look(n: Option<u8>) -> String {
    format!("saw {}", n.unwrap_or_default())
}

#[tool("Remove.", needs_approval, inline, register = false)]
fn remove() -> &'static str {
    "removed"
}

/// An agent that no one can decide for now.
fn builder(replies: impl IntoIterator<Item = Reply>) -> AgentBuilder {
    Agent::builder()
        .model(ScriptedModel::new(replies))
        .tools(tools![look, remove])
        .approver(|_: &ApprovalRequest<'_>| Approval::Later)
}

fn agent(replies: impl IntoIterator<Item = Reply>) -> Agent {
    builder(replies).build().unwrap()
}

/// What was saved of a run that has looked twice and waits to remove something.
async fn waiting() -> Value {
    let step = Reply::call("look", json!({"n": 2})).and_call("remove", json!({}));
    let mut run = agent([Reply::call("look", json!({"n": 1})), step]).start("go");
    assert_eq!(run.drive().await.unwrap(), StopReason::AwaitingApproval);
    serde_json::to_value(run.save()).unwrap()
}

fn read(saved: Value) -> SavedRun {
    serde_json::from_value(saved).unwrap()
}
