//! What becomes of each kind of reply.

use agent_core::model::FinishReason;
use agent_core::{FnModel, Message, Reply, StopReason};
use serde_json::json;
use tests::results;

use super::{builder, counting, run};

#[tokio::test]
async fn a_reply_that_was_cut_off_runs_nothing_and_the_run_goes_on() {
    let cut = r#"{"path":"a.md","text":"hel"#;
    for finish in [FinishReason::Length, FinishReason::ContentFilter, FinishReason::Stop] {
        let reply = Reply::call("count", json!(cut)).with_finish(finish);
        let (run, seen) = run([reply, Reply::text("done")]).await;
        assert_eq!((run.stop(), seen.ran()), (Some(StopReason::Answered), 0));
        assert!(
            results(run.transcript())[0].starts_with("error(invalid_json): "),
            "{:?}",
            results(run.transcript())
        );
        let Message::Assistant(stored) = &run.transcript().messages()[1] else {
            panic!("no reply")
        };
        assert!(stored.tool_calls[0].arguments.is_empty());
    }
    let whole_arguments = counting(1).with_finish(FinishReason::Length);
    let (run, seen) = run([whole_arguments, Reply::text("done")]).await;
    assert_eq!(seen.ran(), 0, "{:?}", results(run.transcript()));
}

#[tokio::test]
async fn replies_without_calls_end_the_run_each_in_its_way() {
    let stops = [
        (Reply::text("42"), StopReason::Answered),
        (Reply::text(" \n"), StopReason::Empty),
        (Reply::default(), StopReason::Empty),
        (Reply::text("so far").with_finish(FinishReason::Length), StopReason::Incomplete),
        (Reply::default().with_finish(FinishReason::Length), StopReason::Incomplete),
        (Reply::text("no").with_finish(FinishReason::ContentFilter), StopReason::Incomplete),
    ];
    for (reply, stop) in stops {
        let (run, _) = run([reply]).await;
        assert_eq!(run.stop(), Some(stop));
        assert_eq!(run.answer().is_ok(), stop == StopReason::Answered);
    }
}

#[tokio::test]
async fn text_beside_calls_is_kept() {
    let (run, _) = run([counting(1).with_text("Let me count."), Reply::default()]).await;
    let Message::Assistant(first) = &run.transcript().messages()[1] else { panic!("no reply") };
    assert_eq!((first.content.as_str(), first.tool_calls.len()), ("Let me count.", 1));
    assert_eq!(run.stop(), Some(StopReason::Empty));
}

#[tokio::test]
async fn missing_and_repeated_ids_are_replaced() {
    let step = Reply::default()
        .and_call_with_id("a", "count", json!({"n": 1}))
        .and_call_with_id("a", "count", json!({"n": 2}))
        .and_call_with_id("", "count", json!({"n": 3}));
    let again = Reply::default().and_call_with_id("a", "count", json!({"n": 4}));
    let (run, _) = run([step, again, Reply::text("done")]).await;
    let id = |message: &Message| match message {
        Message::Tool(result) => Some(result.call_id.clone()),
        _ => None,
    };
    let ids: Vec<String> = run.transcript().messages().iter().filter_map(id).collect();
    assert_eq!(ids, ["a", "c00000001", "c00000002", "c00000003"]);
}

#[tokio::test]
async fn a_model_may_be_a_closure_over_the_messages() {
    let (builder, _) = builder([]);
    let model = FnModel::new(|messages: &[Message]| match messages.last() {
        Some(Message::Tool(result)) => Ok(Reply::text(format!("it is {}", result.content))),
        _ => Ok(counting(5)),
    });
    assert_eq!(
        builder.model(model).build().unwrap().run("go").await.unwrap().answer().unwrap(),
        "it is 5"
    );
}
