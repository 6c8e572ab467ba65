//! Which calls wait.

use agent_core::StopReason;
use agent_core::agent::{Approval, ApprovalPolicy};
use tests::results;

use super::{Scene, calls, done};

const ALL: [(&str, &str); 6] = [
    ("read", "a"),
    ("read_private", "b"),
    ("write", "c"),
    ("fetch", "d"),
    ("burn", "e"),
    ("remove", "f"),
];

/// The tools whose calls wait under a policy, of one call of each.
async fn waiting(policy: ApprovalPolicy) -> Vec<String> {
    let mut scene = Scene::new([calls(ALL), done()], vec![Approval::Allow; ALL.len()]);
    scene.builder = scene.builder.approval_policy(policy);
    let (agent, diary) = scene.agent();
    let run = agent.run("go").await.unwrap();
    assert_eq!(run.stop(), Some(StopReason::Answered));
    let entries = diary.entries();
    let ran = entries.iter().filter(|entry| !entry.ends_with('?')).count();
    assert_eq!(ran, ALL.len(), "each call is run once it was allowed: {entries:?}");
    let asked = entries.iter().filter(|entry| entry.ends_with('?'));
    asked.filter_map(|entry| Some(entry.split_once(' ')?.0.to_owned())).collect()
}

#[tokio::test]
async fn each_rule_makes_the_calls_wait_that_it_names_beside_those_that_need_approval() {
    let policy = ApprovalPolicy::new;
    let expected: [(ApprovalPolicy, &[&str]); 8] = [
        (policy(), &["read_private", "remove"]),
        (policy().every_call(), &["read", "read_private", "write", "fetch", "burn", "remove"]),
        (policy().not_read_only(), &["read_private", "write", "burn", "remove"]),
        (policy().destructive(), &["read_private", "burn", "remove"]),
        (policy().open_world(), &["read_private", "fetch", "remove"]),
        (policy().tagged("web"), &["read_private", "fetch", "remove"]),
        (policy().named("read"), &["read", "read_private", "remove"]),
        (policy().named("read").destructive(), &["read", "read_private", "burn", "remove"]),
    ];
    for (place, (policy, names)) in expected.into_iter().enumerate() {
        let mut waiting = waiting(policy).await;
        waiting.sort_by_key(|name| ALL.iter().position(|(tool, _)| tool == name));
        assert_eq!(waiting, names, "policy {place}");
    }
}

#[tokio::test]
async fn a_rule_may_look_at_the_arguments() {
    let policy = ApprovalPolicy::new().when(|tool, call| {
        tool.name() == "write" && call.arguments["page"].as_str() == Some("index")
    });
    let scene = Scene::new(
        [calls([("write", "notes"), ("write", "index")]), done()],
        [Approval::deny("it is the front page")],
    );
    let scene = Scene { builder: scene.builder.approval_policy(policy), ..scene };
    let (agent, diary) = scene.agent();
    let run = agent.run("go").await.unwrap();
    assert_eq!(diary.entries(), ["write notes", "write index?"]);
    assert_eq!(results(run.transcript())[0], "wrote notes");
}

#[tokio::test]
async fn a_rule_that_panics_makes_the_call_wait() {
    let scene = Scene::alone([calls([("write", "a"), ("read", "b")]), done()]);
    let policy = ApprovalPolicy::new().when(|_, call| call.arguments["no such key"].is_string());
    let scene = Scene { builder: scene.builder.approval_policy(policy), ..scene };
    let (agent, diary) = scene.agent();
    let run = agent.run("go").await.unwrap();
    assert_eq!(run.stop(), Some(StopReason::Answered));
    assert!(diary.entries().is_empty());
    for result in results(run.transcript()) {
        assert!(result.starts_with("error(denied): "), "{result}");
    }
}

#[tokio::test]
async fn without_an_approver_every_call_that_waits_is_denied() {
    let scene = Scene::alone([calls(ALL), done()]);
    let policy = ApprovalPolicy::new().every_call();
    let scene = Scene { builder: scene.builder.approval_policy(policy), ..scene };
    let (agent, diary) = scene.agent();
    let run = agent.run("go").await.unwrap();
    assert_eq!((run.stop(), run.counts().tool_calls), (Some(StopReason::Answered), 6));
    let denied = "error(denied): the call was not allowed: it needs approval, and no one is there to give it; \
                  go on without it, or ask the user";
    assert_eq!(results(run.transcript()), [denied; 6]);
    assert!(diary.entries().is_empty());
}

#[tokio::test]
async fn a_call_that_cannot_be_run_is_not_asked_about() {
    let reply = calls([("remove_all", "a")]).and_call("remove", serde_json::json!("{\"page\": "));
    let (agent, diary) = Scene::new([reply, done()], []).agent();
    let run = agent.run("go").await.unwrap();
    assert!(results(run.transcript())[0].starts_with("error(unknown_tool): "));
    assert!(results(run.transcript())[1].starts_with("error(invalid_json): "));
    assert!(diary.entries().is_empty());
}
