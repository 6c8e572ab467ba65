//! What may be decided, and what comes of it.

use agent_core::Arguments;
use agent_core::StopReason;
use agent_core::agent::Approval;
use serde_json::{Value, json};
use tests::{check_transcript, results};

use super::{Scene, call, calls, done};

fn allow_with(arguments: Value) -> Approval {
    let Value::Object(map) = arguments else { panic!("arguments are an object") };
    Approval::allow_with(map)
}

#[tokio::test]
async fn an_allowed_call_is_run_as_it_is() {
    let (agent, diary) = Scene::new([call("remove", "a"), done()], [Approval::Allow]).agent();
    let run = agent.run("go").await.unwrap();
    assert_eq!(results(run.transcript()), ["removed 1 of a"]);
    assert_eq!(diary.entries(), ["remove a?", "remove a"]);
}

#[tokio::test]
async fn changed_arguments_are_run_and_the_model_is_told_of_them() {
    let decision = allow_with(json!({"page": "b", "copies": "2"}));
    let (agent, diary) = Scene::new([call("remove", "a"), done()], [decision]).agent();
    let run = agent.run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    let told = "[run with other arguments, chosen by who approved it: {\"copies\":\"2\",\"page\":\"b\"}]\n\
                removed 2 of b";
    assert_eq!(results(run.transcript()), [told], "they are fitted to the parameters");
    assert_eq!(diary.entries(), ["remove a?", "remove b"]);
    let agent_core::Message::Assistant(reply) = &run.transcript().messages()[1] else {
        panic!("no reply")
    };
    let own: Arguments = [("page".to_owned(), json!("a"))].into_iter().collect();
    assert_eq!(reply.tool_calls[0].arguments, own, "what the model said is not rewritten");
}

#[tokio::test]
async fn changed_arguments_that_do_not_fit_are_answered_and_not_run() {
    let decision = allow_with(json!({"page": "b", "copies": 9}));
    let (agent, diary) = Scene::new([call("remove", "a"), done()], [decision]).agent();
    let run = agent.run("go").await.unwrap();
    assert_eq!(diary.entries(), ["remove a?"]);
    let told = results(run.transcript())[0];
    assert!(told.starts_with("[run with other arguments"), "{told}");
    assert!(told.contains("error(invalid_arguments): ") && told.contains("copies"), "{told}");
    let agent_core::Message::Tool(result) = &run.transcript().messages()[2] else {
        panic!("no result")
    };
    assert!(result.is_error);
}

#[tokio::test]
async fn the_same_arguments_given_again_are_no_change() {
    let decision = allow_with(json!({"page": "a"}));
    let (agent, _) = Scene::new([call("remove", "a"), done()], [decision]).agent();
    let run = agent.run("go").await.unwrap();
    assert_eq!(results(run.transcript()), ["removed 1 of a"]);
}

#[tokio::test]
async fn what_is_allowed_for_the_run_is_not_asked_again_in_it_and_asked_in_the_next() {
    let replies = [
        calls([("remove", "a"), ("remove", "b")]),
        calls([("remove", "c"), ("read_private", "d")]),
        done(),
        call("remove", "e"),
        done(),
    ];
    let decisions = [Approval::AllowForRun, Approval::Allow, Approval::deny("not now")];
    let (agent, diary) = Scene::new(replies, decisions).agent();
    let mut run = agent.run("go").await.unwrap();
    let first =
        ["remove a?", "remove a", "remove b", "remove c", "read_private d?", "read_private d"];
    assert_eq!(diary.entries(), first, "of other tools it says nothing");
    run.ask("and the last?");
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered);
    assert_eq!(diary.entries()[first.len()..], ["remove e?"]);
}

#[tokio::test]
async fn what_is_allowed_for_the_run_holds_for_the_calls_that_wait_beside_it() {
    let private = [("read_private", "a"), ("read_private", "b"), ("read_private", "c")];
    let scene = Scene::new([calls(private), done()], [Approval::AllowForRun]);
    let (agent, diary) = scene.agent();
    agent.run("go").await.unwrap();
    let expected = ["read_private a?", "read_private a", "read_private b", "read_private c"];
    assert_eq!(diary.entries(), expected);
}

#[tokio::test]
async fn a_denied_call_is_answered_with_the_reason_and_the_run_goes_on() {
    let decision = Approval::deny("page a is in use");
    let (agent, diary) = Scene::new([call("remove", "a"), done()], [decision]).agent();
    let run = agent.run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    let told = "error(denied): the call was not allowed: page a is in use; go on without it, or ask the user";
    assert_eq!((results(run.transcript()), run.answer().unwrap()), (vec![told], "done".to_owned()));
    assert_eq!((diary.entries(), run.counts().tool_calls), (vec!["remove a?".to_owned()], 1));
}

#[tokio::test]
async fn a_denied_call_made_over_and_over_is_stopped_without_being_asked_about_each_time() {
    let no = || Approval::deny("no");
    let (agent, diary) =
        Scene::new((0..8).map(|_| call("remove", "a")), [no(), no(), no(), no()]).agent();
    let run = agent.run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    assert_eq!((run.stop(), run.counts().steps), (Some(StopReason::RepeatedCalls), 4));
    assert_eq!(diary.entries(), ["remove a?", "remove a?"]);
    assert!(results(run.transcript())[3].starts_with("error(repeated): "));
}

#[tokio::test]
async fn a_direct_call_is_decided_on_like_one_of_a_run() {
    let decisions = [
        Approval::Allow,
        allow_with(json!({"page": "b"})),
        Approval::AllowForRun,
        Approval::deny("no"),
        Approval::Later,
    ];
    let (agent, diary) = Scene::new([], decisions).agent();
    let mut told = Vec::new();
    for _ in 0..5 {
        told.push(agent.call("remove", json!({"page": "a"})).await.content);
    }
    assert_eq!(told[0], "removed 1 of a");
    assert!(told[1].ends_with("\nremoved 1 of b"), "{}", told[1]);
    assert_eq!(told[2], "removed 1 of a");
    assert!(told[3].starts_with("error(denied): the call was not allowed: no; "), "{}", told[3]);
    assert!(told[4].starts_with("error(denied): "), "no run is there to wait: {}", told[4]);
    let ran = ["remove a?", "remove a", "remove a?", "remove b", "remove a?", "remove a"];
    assert_eq!(diary.entries(), [&ran[..], &["remove a?", "remove a?"]].concat());
}
