//! Faults of runs that no one watches.

use std::sync::atomic::{AtomicU32, Ordering};

use agent_core::agent::{Approval, ApprovalPolicy, ApprovalRequest};
use agent_core::context::{ContextPolicy, Room};
use agent_core::model::ModelErrorKind;
use agent_core::{
    Agent, AgentBuilder, FnModel, Message, ModelError, Reply, ScriptedModel, StopReason, ToolCall,
    tool, tools,
};
use serde_json::json;
use tests::results;

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

#[tokio::test]
async fn a_rule_and_an_approver_see_the_arguments_that_the_tool_reads() {
    let large = |call: &ToolCall| call.arguments["amount"].as_f64() > Some(100.0);
    for amount in [json!(2000), json!("2000"), json!(" 2e3 ")] {
        let replies = || {
            let call = Reply::call("send", json!({"amount": amount}));
            [call, Reply::text("done")]
        };
        let agent = |builder: AgentBuilder| {
            builder.model(ScriptedModel::new(replies())).tools(tools![send]).build().unwrap()
        };
        let ruled = ApprovalPolicy::new().when(move |_, call| large(call));
        let asking = Agent::builder().approval_policy(ApprovalPolicy::new().every_call());
        let decide = move |request: &ApprovalRequest<'_>| match large(request.call) {
            true => Approval::deny("too much"),
            false => Approval::Allow,
        };
        let alone = agent(Agent::builder().approval_policy(ruled));
        for agent in [alone, agent(asking.approver(decide))] {
            let run = agent.run("go").await.unwrap();
            let direct = agent.call("send", json!({"amount": amount})).await;
            for result in [results(run.transcript())[0], &direct.content] {
                assert!(result.starts_with("error(denied)"), "{amount}: {result}");
            }
        }
        let later = |_: &ApprovalRequest<'_>| Approval::Later;
        let asking = Agent::builder().approval_policy(ApprovalPolicy::new().every_call());
        let mut run = agent(asking.approver(later)).run("go").await.unwrap();
        let pending = run.pending();
        assert!(large(&pending[0].call), "{pending:?}");
        run.decide(&pending[0], Approval::Allow).unwrap();
        run.drive().await.unwrap();
        assert_eq!(results(run.transcript()), ["sent 2000"]);
    }
}

/// Shows something else each time, and never less.
#[derive(Default)]
struct Fickle(AtomicU32);

impl ContextPolicy for Fickle {
    fn cut(&self, messages: &[Message], _: &Room<'_>) -> Vec<Message> {
        let cuts = self.0.fetch_add(1, Ordering::SeqCst);
        let mut shown = messages.to_vec();
        shown.insert(0, Message::System { content: format!("Cut {cuts} times.") });
        shown
    }
}

#[tokio::test]
async fn a_request_that_is_always_too_long_is_not_sent_for_ever() {
    let mut requests = 0;
    let model = FnModel::new(move |_: &[Message]| {
        requests += 1;
        assert!(requests < 10);
        Err(ModelError::of(ModelErrorKind::ContextLength, "too long"))
    });
    let agent = Agent::builder().model(model).tools([]).context_policy(Fickle::default());
    let error = agent.build().unwrap().run("Why?").await.unwrap_err();
    assert_eq!(error.to_string(), "the model did not answer: too long");
}
