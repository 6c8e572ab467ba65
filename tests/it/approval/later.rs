//! Runs that stop until someone decides.

use agent_core::agent::{Approval, ApprovalRequest};
use agent_core::{Run, StopReason, Transcript};
use tests::{check_transcript, results};

use super::{Scene, call, calls, done};

/// A run that has stopped before it removes `b`, and the entries of its diary since.
async fn awaiting() -> (Run, impl Fn() -> Vec<String>) {
    let step = [("write", "a"), ("remove", "b"), ("write", "c")];
    let (agent, diary) = Scene::new([calls(step), done(), done()], [Approval::Later]).agent();
    let mut run = agent.start("go");
    assert_eq!(run.drive().await.unwrap(), StopReason::AwaitingApproval);
    assert_eq!(diary.entries(), ["write a", "remove b?"]);
    (run, move || diary.entries().split_off(2))
}

#[tokio::test]
async fn a_run_that_no_one_can_decide_for_now_stops_and_shows_what_waits() {
    let (mut run, since) = awaiting().await;
    assert_eq!(run.stop(), Some(StopReason::AwaitingApproval));
    assert_eq!(
        run.answer().unwrap_err().to_string(),
        "the run stopped without an answer: awaiting_approval"
    );
    let pending = run.pending();
    assert_eq!((pending.len(), pending[0].index), (1, 1));
    assert_eq!(pending[0].call.name, "remove");
    assert_eq!(run.drive().await.unwrap(), StopReason::AwaitingApproval, "it waits on");
    assert!(since().is_empty(), "driving it asks no one again");
    // The turn is seen once it is whole.
    check_transcript(run.transcript()).unwrap();
    assert_eq!((run.transcript().messages().len(), run.counts().tool_calls), (1, 0));
}

#[tokio::test]
async fn a_decision_lets_the_run_go_on_and_nothing_is_run_again() {
    let (mut run, since) = awaiting().await;
    let pending = run.pending();
    run.decide(&pending[0], Approval::Allow).unwrap();
    assert_eq!((run.stop(), run.pending().len()), (None, 0));
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    assert_eq!(since(), ["remove b", "write c"]);
    assert_eq!(results(run.transcript()), ["wrote a", "removed 1 of b", "wrote c"]);
    assert_eq!((run.counts().steps, run.counts().tool_calls), (2, 3));
    check_transcript(run.transcript()).unwrap();
}

#[tokio::test]
async fn a_denial_from_outside_is_answered_like_any_other() {
    let (mut run, since) = awaiting().await;
    let pending = run.pending();
    run.decide(&pending[0], Approval::deny("the owner says no")).unwrap();
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    assert_eq!(since(), ["write c"]);
    assert!(results(run.transcript())[1].contains("the owner says no"));
}

#[tokio::test]
async fn a_decision_that_is_put_off_once_more_leaves_the_run_as_it_is() {
    let (mut run, since) = awaiting().await;
    let pending = run.pending();
    run.decide(&pending[0], Approval::Later).unwrap();
    assert_eq!((run.stop(), run.pending()), (Some(StopReason::AwaitingApproval), pending));
    assert!(since().is_empty());
}

#[tokio::test]
async fn of_calls_that_wait_together_the_approver_is_asked_about_those_not_decided_on() {
    let private = [("read_private", "a"), ("read_private", "b"), ("read_private", "c")];
    let decisions = [Approval::Later, Approval::deny("no"), Approval::Allow];
    let (agent, diary) = Scene::new([calls(private), done()], decisions).agent();
    let mut run = agent.start("go");
    run.drive().await.unwrap();
    let pending = run.pending();
    assert_eq!(pending.len(), 3, "after `later` no further call is asked about");
    run.decide(&pending[1], Approval::Allow).unwrap();
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    let mut entries = diary.entries();
    entries[3..].sort_unstable();
    let asked = ["read_private a?", "read_private a?", "read_private c?"];
    assert_eq!(entries, [&asked[..], &["read_private b", "read_private c"]].concat());
    assert!(results(run.transcript())[0].starts_with("error(denied): "));
}

#[tokio::test]
async fn a_question_asked_meanwhile_cancels_what_waits() {
    let (mut run, since) = awaiting().await;
    run.ask("never mind");
    check_transcript(run.transcript()).unwrap();
    let cancelled = "error(cancelled): the run was cancelled while the call was pending; \
                     call again if it is still needed";
    assert_eq!(results(run.transcript()), ["wrote a", cancelled, cancelled]);
    assert!(run.pending().is_empty());
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    assert!(since().is_empty());
    check_transcript(run.transcript()).unwrap();
}

#[tokio::test]
async fn a_session_goes_on_over_calls_that_wait_and_counts_those_it_cancels() {
    let replies = [calls([("remove", "a"), ("write", "b")]), done(), call("remove", "c"), done()];
    let (agent, diary) = Scene::new(replies, [Approval::Later, Approval::Later]).agent();
    let mut session = agent.session();
    let run = session.ask("remove a").await.unwrap();
    assert_eq!(run.stop(), Some(StopReason::AwaitingApproval));
    session.ask("never mind").await.unwrap();
    assert_eq!(session.counts().tool_calls as usize, results(session.transcript()).len());
    session.ask("remove c").await.unwrap();
    let pending = session.run().pending();
    session.run_mut().decide(&pending[0], Approval::Allow).unwrap();
    assert_eq!(session.run_mut().drive().await.unwrap(), StopReason::Answered);
    assert_eq!(diary.entries(), ["remove a?", "remove c?", "remove c"]);
    check_transcript(session.transcript()).unwrap();
    assert_eq!((session.counts().steps, session.counts().tool_calls), (4, 3));
}

#[tokio::test]
async fn what_an_approver_can_keep_of_the_run_is_valid_and_holds_what_waits() {
    let step = [("write", "a"), ("remove", "b"), ("read_private", "c")];
    let scene = Scene::alone([calls(step), call("remove", "d"), done()]);
    let approver = |request: &ApprovalRequest<'_>| {
        let saved = request.save().expect("a run made the call");
        check_transcript(saved.transcript()).unwrap();
        let messages = saved.transcript().messages().to_vec();
        Transcript::try_from(messages).unwrap();
        assert_eq!(saved.question(), "go");
        assert_eq!(saved.pending()[0].call, *request.call);
        Approval::Allow
    };
    let run = scene.builder.approver(approver).build().unwrap().run("go").await.unwrap();
    let results = results(run.transcript());
    let expected = ["wrote a", "removed 1 of b", "the private text of c", "removed 1 of d"];
    assert_eq!(results, expected, "a check that fails in the approver would have denied");
    assert_eq!(scene.diary.entries(), ["write a", "remove b", "read_private c", "remove d"]);
}
