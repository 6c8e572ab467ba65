//! Faults of runs that no one watches.

use agent_core::agent::{Approval, ApprovalPolicy, ApprovalRequest};
use agent_core::{Agent, AgentBuilder, Reply, ScriptedModel, StopReason, tool, tools};
use serde_json::json;

use super::Bomb;

#[tool("Send money.", inline, register = false)]
fn send(amount: f64) -> String {
    format!("sent {amount}")
}

fn sending(builder: AgentBuilder) -> Agent {
    let replies = [Reply::call("send", json!({"amount": 1})), Reply::text("done")];
    builder.model(ScriptedModel::new(replies)).tools(tools![send]).build().unwrap()
}

#[tokio::test]
async fn a_panic_whose_payload_panics_too_costs_no_run() {
    fn explode<T>() -> T {
        std::panic::panic_any(Bomb)
    }
    let every_call = || Agent::builder().approval_policy(ApprovalPolicy::new().every_call());
    for builder in [
        Agent::builder().approval_policy(ApprovalPolicy::new().when(|_, _| explode())),
        every_call().approver(|_: &ApprovalRequest<'_>| -> Approval { explode() }),
        Agent::builder().on_event(|_| explode()),
    ] {
        let run = sending(builder).run("go").await.unwrap();
        assert_eq!(run.stop(), Some(StopReason::Answered));
    }
}
