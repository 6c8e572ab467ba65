//! A decision holds for one call, with the arguments it was made on.

use agent_core::agent::{Approval, PendingCall, SavedRun};
use agent_core::{Agent, Arguments, Run, StopReason};
use serde_json::{Value, json};
use tests::results;

use super::{Scene, calls, done};

const PRIVATE: [(&str, &str); 2] = [("read_private", "a"), ("read_private", "b")];

/// A run that waits for decisions on two calls.
async fn awaiting() -> (Agent, Run) {
    let (agent, _) = Scene::new([calls(PRIVATE), done()], [Approval::Later]).agent();
    let mut run = agent.start("go");
    run.drive().await.unwrap();
    assert_eq!(run.pending().len(), 2);
    (agent, run)
}

fn page(name: &str) -> Arguments {
    [("page".to_owned(), json!(name))].into_iter().collect()
}

/// The run, saved, changed by hand and restored.
fn edited(agent: &Agent, run: &Run, edit: impl FnOnce(&mut Value)) -> Run {
    let mut saved = serde_json::to_value(run.save()).unwrap();
    edit(&mut saved);
    agent.restore(serde_json::from_value::<SavedRun>(saved).unwrap()).unwrap()
}

fn pages(pending: &[PendingCall]) -> Vec<&str> {
    pending.iter().filter_map(|pending| pending.call.arguments["page"].as_str()).collect()
}

#[tokio::test]
async fn a_decision_on_any_other_call_than_the_one_that_waits_is_refused() {
    let (_, mut run) = awaiting().await;
    let waiting = run.pending().remove(0);
    let with = |change: fn(&mut PendingCall)| {
        let mut pending = waiting.clone();
        change(&mut pending);
        pending
    };
    let others = [
        with(|pending| pending.call.arguments = page("b")),
        with(|pending| pending.call.arguments = Arguments::default()),
        with(|pending| pending.call.name = "read".to_owned()),
        with(|pending| pending.call.id = "another".to_owned()),
        with(|pending| pending.index = 1),
        with(|pending| pending.index = usize::MAX),
    ];
    for other in others {
        let error = run.decide(&other, Approval::Allow).unwrap_err().to_string();
        assert!(error.starts_with(&format!("no call `{}` of ", other.call.id)), "{error}");
        assert!(error.ends_with("waits for approval; ask the run which calls do"), "{error}");
    }
    assert_eq!((run.pending().len(), run.stop()), (2, Some(StopReason::AwaitingApproval)));
    run.decide(&waiting, Approval::Allow).unwrap();
    run.decide(&waiting, Approval::Allow).unwrap_err();
    assert_eq!(run.pending().len(), 1);
}

#[tokio::test]
async fn a_call_whose_arguments_were_changed_in_the_file_is_not_the_one_that_was_shown() {
    let (agent, run) = awaiting().await;
    let shown = run.pending().remove(0);
    let mut run = edited(&agent, &run, |saved| {
        saved["machine"]["state"]["tools"]["message"]["tool_calls"][0]["arguments"]["page"] =
            json!("secrets");
    });
    assert_eq!(pages(&run.pending()), ["secrets", "b"]);
    run.decide(&shown, Approval::Allow).unwrap_err();
}

#[tokio::test]
async fn an_approval_in_a_file_does_not_hold_for_arguments_put_in_after_it() {
    let (agent, mut run) = awaiting().await;
    let shown = run.pending().remove(0);
    run.decide(&shown, Approval::Allow).unwrap();
    let same = edited(&agent, &run, |_| {});
    assert_eq!(pages(&same.pending()), ["b"], "untouched, it holds");
    let asked_again = edited(&agent, &run, |saved| {
        saved["machine"]["state"]["tools"]["message"]["tool_calls"][0]["arguments"]["page"] =
            json!("secrets");
    });
    assert_eq!(pages(&asked_again.pending()), ["secrets", "b"]);
}

#[tokio::test]
async fn the_list_of_pending_calls_in_a_file_decides_nothing() {
    let (agent, run) = awaiting().await;
    let run = edited(&agent, &run, |saved| saved["pending"] = json!([]));
    assert_eq!(pages(&run.pending()), ["a", "b"]);
}

#[tokio::test]
async fn approved_calls_are_run_after_a_restore_with_what_was_approved() {
    let (agent, mut run) = awaiting().await;
    let pending = run.pending();
    let other = Approval::AllowWith { arguments: page("c") };
    run.decide(&pending[0], other).unwrap();
    run.decide(&pending[1], Approval::Allow).unwrap();
    let mut run = edited(&agent, &run, |_| {});
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    let results = results(run.transcript());
    assert!(results[0].ends_with("\nthe private text of c"), "{results:?}");
    assert_eq!(results[1], "the private text of b");
}
