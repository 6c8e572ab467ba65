//! Approvers that fail, or never decide.

use std::time::Duration;

use agent_core::agent::{Approval, ApprovalRequest, Approver};
use agent_core::model::BoxFuture;
use agent_core::{Limits, StopReason};
use tests::{check_transcript, results};

use super::{Scene, calls, done};

/// Tells that it was asked, and never decides.
struct Silent(tokio::sync::mpsc::UnboundedSender<()>);

impl Approver for Silent {
    fn approve<'a>(&'a self, _: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Approval> {
        self.0.send(()).unwrap();
        Box::pin(std::future::pending())
    }
}

/// A scene whose approver never decides, and what hears of its being asked.
fn silent() -> (Scene, tokio::sync::mpsc::UnboundedReceiver<()>) {
    let (tell, asked) = tokio::sync::mpsc::unbounded_channel();
    let scene = Scene::alone([calls([("read", "a"), ("remove", "b"), ("read", "c")]), done()]);
    (Scene { builder: scene.builder.approver(Silent(tell)), ..scene }, asked)
}

const CANCELLED: &str = "error(cancelled): the run was cancelled while the call was pending; \
                         call again if it is still needed";

#[tokio::test]
async fn an_approver_that_panics_denies_at_once_or_after_a_while() {
    struct Late;
    impl Approver for Late {
        fn approve<'a>(&'a self, _: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Approval> {
            Box::pin(async {
                tokio::task::yield_now().await;
                panic!("no pen")
            })
        }
    }
    let builder = || Scene::alone([calls([("remove", "a"), ("read", "b")]), done()]).builder;
    let at_once = |_: &ApprovalRequest<'_>| -> Approval { panic!("no pen") };
    for builder in [builder().approver(at_once), builder().approver(Late)] {
        let run = builder.build().unwrap().run("go").await.unwrap();
        let denied = "error(denied): the call was not allowed: the one who decides has failed; \
                      go on without it, or ask the user";
        assert_eq!(results(run.transcript()), [denied, "the text of b"]);
        assert_eq!(run.stop(), Some(StopReason::Answered));
    }
}

#[tokio::test]
async fn a_deadline_passes_while_no_one_decides() {
    let (scene, _asked) = silent();
    let deadline = Some(Duration::from_millis(30));
    let builder = scene.builder.limits(Limits { deadline, ..Limits::default() });
    let run = builder.build().unwrap().run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    assert_eq!(run.stop(), Some(StopReason::Deadline));
    let results = results(run.transcript());
    assert_eq!(results[0], "the text of a");
    assert!(results[1].starts_with("error(cancelled): the run's deadline passed"), "{results:?}");
    assert_eq!(scene.diary.entries(), ["read a"]);
}

#[tokio::test]
async fn a_run_can_be_cancelled_and_its_future_dropped_while_no_one_decides() {
    for dropped in [false, true] {
        let (scene, mut asked) = silent();
        let (agent, diary) = scene.agent();
        let mut run = agent.start("go");
        let cancel = run.cancel_token();
        {
            let mut drive = std::pin::pin!(run.drive());
            tokio::select! {
                _ = &mut drive => panic!("no one decides"),
                told = asked.recv() => told.unwrap(),
            }
            if !dropped {
                cancel.cancel();
                assert_eq!(drive.await.unwrap(), StopReason::Cancelled);
            }
        }
        assert_eq!(run.stop(), Some(StopReason::Cancelled));
        check_transcript(run.transcript()).unwrap();
        assert_eq!(results(run.transcript()), ["the text of a", CANCELLED, CANCELLED]);
        assert_eq!((run.pending().len(), diary.entries()), (0, vec!["read a".to_owned()]));
        run.ask("and now?");
        assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    }
}
