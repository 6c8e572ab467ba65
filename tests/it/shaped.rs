//! Answers with a shape, across processes.

use agent_core::agent::{Approval, ApprovalRequest, SavedRun};
use agent_core::{Agent, Reply, ScriptedModel, StopReason, schemars, tool, tools};
use serde_json::json;

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Removed {
    path: String,
    bytes: u64,
}

#[tool("Remove a file.", needs_approval, register = false)]
fn remove(path: String) -> String {
    format!("removed {path}, 12 bytes")
}

fn agent(replies: impl IntoIterator<Item = Reply>) -> Agent {
    Agent::builder()
        .model(ScriptedModel::new(replies))
        .tools(tools![remove])
        .approver(|_: &ApprovalRequest<'_>| Approval::Later)
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_saved_run_goes_on_to_an_answer_of_its_type() {
    let calls = Reply::call("remove", json!({"path": "a"}))
        .and_call("finish", json!({"path": "a", "bytes": 12}));
    let error = agent([calls]).run_as::<Removed>("Remove a.").await.unwrap_err();
    let run = error.into_run().unwrap();
    assert_eq!(run.stop(), Some(StopReason::AwaitingApproval));
    let saved = serde_json::to_string(&run.save()).unwrap();

    let saved: SavedRun = serde_json::from_str(&saved).unwrap();
    let mut run = agent([]).restore_as::<Removed>(saved).unwrap();
    let pending = run.pending();
    run.decide(&pending[0], Approval::Allow).unwrap();
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    let answer: Removed = serde_json::from_str(&run.answer().unwrap()).unwrap();
    assert_eq!(answer, Removed { path: "a".into(), bytes: 12 });
}
