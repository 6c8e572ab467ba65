//! Going on from a saved run with another agent: its tools and limits hold.

use std::sync::{Arc, Mutex};

use agent_core::agent::{Approval, ApprovalPolicy};
use agent_core::{Agent, Event, Limits, Reply, ScriptedModel, StopReason, Usage, tools};
use serde_json::json;
use tests::{check_transcript, results};

use super::{agent, builder, look, read, waiting};

/// An agent without the tool that the saved run waits for, and what it tells of.
fn without_remove(limits: Limits) -> (Agent, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&told);
    let agent = Agent::builder()
        .model(ScriptedModel::new([Reply::text("done")]))
        .tools(tools![look])
        .limits(limits)
        .on_event(move |event| match event {
            Event::CallFinished { call, .. } => log.lock().unwrap().push(call.name.clone()),
            Event::Stopped { stop, .. } => log.lock().unwrap().push(stop.to_string()),
            _ => {}
        });
    (agent.build().unwrap(), told)
}

#[tokio::test]
async fn a_call_whose_tool_is_gone_is_answered_told_of_and_the_run_goes_on() {
    let (agent, told) = without_remove(Limits::default());
    let mut run = agent.restore(read(waiting().await)).unwrap();
    assert!(run.pending().is_empty());
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    check_transcript(run.transcript()).unwrap();
    let results = results(run.transcript());
    assert_eq!(results[..2], ["saw 1", "saw 2"]);
    assert!(
        results[2].starts_with("error(unknown_tool): there is no tool `remove`"),
        "{results:?}"
    );
    assert_eq!(*told.lock().unwrap(), ["remove", "answered"]);
}

#[tokio::test]
async fn a_run_that_ends_by_being_restored_is_told_of_when_it_is_driven() {
    let (agent, told) = without_remove(Limits { max_steps: 2, ..Limits::default() });
    let mut run = agent.restore(read(waiting().await)).unwrap();
    assert_eq!(run.stop(), Some(StopReason::MaxSteps));
    assert_eq!(run.drive().await.unwrap(), StopReason::MaxSteps);
    assert_eq!(*told.lock().unwrap(), ["remove", "max_steps"]);
}

#[tokio::test]
async fn a_call_that_waited_by_a_policy_waits_on_where_there_is_none() {
    let policy = ApprovalPolicy::new().every_call();
    let careful = builder([Reply::call("look", json!({}))]).approval_policy(policy).build();
    let run = careful.unwrap().run("go").await.unwrap();
    assert_eq!(run.stop(), Some(StopReason::AwaitingApproval));
    let saved = serde_json::to_value(run.save()).unwrap();

    let run = agent([]).restore(read(saved)).unwrap();
    assert_eq!(run.pending().len(), 1, "the agent that goes on would run it unasked");
}

#[tokio::test]
async fn counts_go_on_from_what_was_used() {
    let usage = Usage { prompt_tokens: 10, completion_tokens: 5, cached_tokens: 3 };
    let mut run = agent([Reply::call("remove", json!({})).with_usage(usage)]).start("go");
    run.drive().await.unwrap();
    let saved = read(serde_json::to_value(run.save()).unwrap());
    assert_eq!((saved.question(), saved.pending()), ("go", &run.pending()[..]));

    let mut run = agent([Reply::text("done").with_usage(usage)]).restore(saved).unwrap();
    let pending = run.pending();
    run.decide(&pending[0], Approval::Allow).unwrap();
    run.drive().await.unwrap();
    let counts = run.counts();
    assert_eq!((counts.steps, counts.tool_calls, counts.usage.total()), (2, 1, 30));
}

#[tokio::test]
async fn limits_that_were_reached_before_leave_no_further_request() {
    let stricter = [
        (Limits { max_steps: 2, ..Limits::default() }, StopReason::MaxSteps),
        (Limits { max_steps: 1, ..Limits::default() }, StopReason::MaxSteps),
        (Limits { token_budget: Some(1), ..Limits::default() }, StopReason::TokenBudget),
    ];
    for (limits, stop) in stricter {
        let usage = Usage { prompt_tokens: 1, ..Usage::default() };
        let looking = |n| Reply::call("look", json!({ "n": n })).with_usage(usage);
        // Between two steps: the second reply is not there yet.
        let mut run = agent([looking(1), looking(2)]).start("go");
        run.drive().await.unwrap_err();
        let mut saved = serde_json::to_value(run.save()).unwrap();
        saved["machine"]["state"] = json!("model");
        let strict = builder([Reply::text("one too many")]).limits(limits).build().unwrap();
        let mut run = strict.restore(read(saved)).unwrap();
        assert_eq!(run.drive().await.unwrap(), stop);
        assert_eq!(run.counts().steps, 2);
    }
}

#[tokio::test]
async fn a_run_that_was_saved_at_its_end_has_stopped_and_can_be_asked_further() {
    let run = agent([Reply::text("42")]).run("go").await.unwrap();
    let saved = read(serde_json::to_value(run.save()).unwrap());
    let mut run = agent([Reply::text("43")]).restore(saved).unwrap();
    assert_eq!((run.stop(), run.answer().unwrap()), (Some(StopReason::Answered), "42".to_owned()));
    run.ask("and then?");
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    assert_eq!(run.answer().unwrap(), "43");
    check_transcript(run.transcript()).unwrap();
}

#[tokio::test]
async fn a_run_saved_before_it_is_driven_is_driven_elsewhere() {
    let saved = read(serde_json::to_value(agent([]).start("go").save()).unwrap());
    let mut run = agent([Reply::text("gone")]).restore(saved).unwrap();
    assert_eq!(run.stop(), None);
    run.drive().await.unwrap();
    assert_eq!(run.answer().unwrap(), "gone");
}
