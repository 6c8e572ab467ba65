//! The order of calls of which some wait.

use agent_core::agent::Approval;
use tests::{check_transcript, results};

use super::{Scene, calls, done};

#[tokio::test]
async fn reads_of_one_batch_are_all_decided_on_before_any_is_run() {
    let reads = [("read", "a"), ("read_private", "b"), ("read", "c"), ("read_private", "d")];
    let decisions = [Approval::Allow, Approval::deny("not that one")];
    let (agent, diary) = Scene::new([calls(reads), done()], decisions).agent();
    let run = agent.run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    let mut entries = diary.entries();
    let mut ran = entries.split_off(2);
    ran.sort_unstable();
    assert_eq!(entries, ["read_private b?", "read_private d?"]);
    assert_eq!(ran, ["read a", "read c", "read_private b"]);
    let results = results(run.transcript());
    assert_eq!(results[..3], ["the text of a", "the private text of b", "the text of c"]);
    assert!(results[3].starts_with("error(denied): "), "{results:?}");
}

#[tokio::test]
async fn a_batch_whose_calls_are_all_denied_leaves_the_rest_to_run() {
    let step = [("read_private", "a"), ("read_private", "b"), ("write", "c")];
    let no = Approval::deny("no");
    let (agent, diary) = Scene::new([calls(step), done()], [no.clone(), no]).agent();
    agent.run("go").await.unwrap();
    assert_eq!(diary.entries(), ["read_private a?", "read_private b?", "write c"]);
}

#[tokio::test]
async fn a_call_that_changes_something_is_asked_about_after_those_before_it_and_holds_up_those_after()
 {
    let step = [("write", "a"), ("remove", "b"), ("read", "c"), ("remove", "d"), ("write", "e")];
    let decisions = [Approval::Allow, Approval::deny("no")];
    let (agent, diary) = Scene::new([calls(step), done()], decisions).agent();
    let run = agent.run("go").await.unwrap();
    let expected = ["write a", "remove b?", "remove b", "read c", "remove d?", "write e"];
    assert_eq!(diary.entries(), expected);
    assert_eq!(results(run.transcript())[4], "wrote e");
}
