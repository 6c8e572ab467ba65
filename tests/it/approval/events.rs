//! What is told of approval.

use std::sync::{Arc, Mutex};

use agent_core::agent::{Approval, ApprovalRequest};
use agent_core::{Agent, AgentBuilder, Reply, ScriptedModel, StopReason, tool, tools};
use serde_json::{Value, json};

use super::{Scene, call, calls, done};

type Told = Arc<Mutex<Vec<Value>>>;

/// Keeps every event.
fn told(builder: AgentBuilder) -> (Agent, Told) {
    let told = Told::default();
    let log = Arc::clone(&told);
    let keep = move |event: &_| log.lock().unwrap().push(serde_json::to_value(event).unwrap());
    (builder.on_event(keep).build().unwrap(), told)
}

/// The events by their names, those about calls with the page, decisions with their word.
fn names(told: &Told) -> Vec<String> {
    let name = |event: &Value| {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let detail = text(&event["call"]["arguments"]["page"])
            .or_else(|| text(&event["decision"]))
            .or_else(|| text(&event["stop"]))
            .or_else(|| text(&event["question"]));
        let name = event["event"].as_str().unwrap();
        detail.map_or(name.to_owned(), |detail| format!("{name} {detail}"))
    };
    let about_steps = |name: &String| !matches!(name.as_str(), "step_started" | "replied" | "text");
    told.lock().unwrap().drain(..).map(|event| name(&event)).filter(about_steps).collect()
}

#[tokio::test]
async fn each_call_that_waits_is_told_of_with_its_decision_before_it_starts() {
    let step = [("remove", "a"), ("read", "b"), ("remove", "c")];
    let scene = Scene::new([calls(step), done()], [Approval::Allow, Approval::deny("no")]);
    let (agent, told) = told(scene.builder);
    agent.run("go").await.unwrap();
    let expected = [
        "run_started go",
        "approval_asked a",
        "approval_decided allow",
        "call_started a",
        "call_finished a",
        "call_started b",
        "call_finished b",
        "approval_asked c",
        "approval_decided deny",
        "call_finished c",
        "stopped answered",
    ];
    assert_eq!(names(&told), expected);
}

#[tokio::test]
async fn a_decision_names_the_call_it_is_about() {
    let reply = Reply::default().and_call_with_id("call-7", "remove", json!({"page": "a"}));
    let (agent, told) = told(Scene::new([reply, done()], [Approval::AllowForRun]).builder);
    agent.run("go").await.unwrap();
    let told = told.lock().unwrap();
    let of = |name: &str| told.iter().find(|event| event["event"] == name).unwrap();
    assert_eq!(of("approval_asked")["call"]["id"], "call-7");
    let decided = json!({"event": "approval_decided", "step": 1, "call_id": "call-7", "decision": "allow_for_run"});
    assert_eq!(*of("approval_decided"), decided);
}

#[tokio::test]
async fn a_run_that_waits_is_told_to_have_stopped_and_then_to_go_on() {
    let scene = Scene::new([call("remove", "a"), done()], [Approval::Later]);
    let (agent, told) = told(scene.builder);
    let mut run = agent.start("go");
    run.drive().await.unwrap();
    let waits = [
        "run_started go",
        "approval_asked a",
        "approval_decided later",
        "stopped awaiting_approval",
    ];
    assert_eq!(names(&told), waits);
    let pending = run.pending();
    run.decide(&pending[0], Approval::Allow).unwrap();
    run.drive().await.unwrap();
    assert_eq!(
        names(&told),
        ["approval_decided allow", "call_started a", "call_finished a", "stopped answered"]
    );
}

#[tokio::test]
async fn calls_that_a_further_question_cancels_are_told_of_before_its_run_starts() {
    let scene = Scene::new([calls([("remove", "a"), ("read", "b")]), done()], [Approval::Later]);
    let (agent, told) = told(scene.builder);
    let mut run = agent.start("go");
    run.drive().await.unwrap();
    names(&told);
    run.ask("never mind");
    run.drive().await.unwrap();
    let expected =
        ["call_finished a", "call_finished b", "run_started never mind", "stopped answered"];
    assert_eq!(names(&told), expected);
}

#[tokio::test]
async fn secrets_are_masked_where_approval_is_told_of_and_known_to_who_decides() {
    #[tool("Log in.", needs_approval, register = false)]
    fn login(#[arg(secret)] password: String) -> usize {
        password.len()
    }
    let script = [Reply::call("login", json!({"password": "hunter2"})), done()];
    let approver = |request: &ApprovalRequest<'_>| match &request.call.arguments["password"] {
        Value::String(password) if password == "hunter2" => Approval::Allow,
        _ => Approval::deny("masked"),
    };
    let agent = Agent::builder().model(ScriptedModel::new(script)).tools(tools![login]);
    let (agent, told) = told(agent.approver(approver));
    let run = agent.run("go").await.unwrap();
    assert_eq!(tests::results(run.transcript()), ["7"]);
    let told = serde_json::to_string(&*told.lock().unwrap()).unwrap();
    assert!(told.contains("approval_asked") && !told.contains("hunter2"), "{told}");
}

#[tokio::test]
async fn a_denial_that_ends_the_run_is_told_of_when_it_is_driven_on() {
    let scene = Scene::new([call("remove", "a")], [Approval::Later]);
    let (agent, told) = told(scene.builder.max_steps(1));
    let mut run = agent.start("go");
    run.drive().await.unwrap();
    names(&told);
    let pending = run.pending();
    run.decide(&pending[0], Approval::deny("no")).unwrap();
    assert_eq!(run.drive().await.unwrap(), StopReason::MaxSteps);
    assert_eq!(run.drive().await.unwrap(), StopReason::MaxSteps);
    assert_eq!(names(&told), ["approval_decided deny", "call_finished a", "stopped max_steps"]);
}
