use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::model::{BoxFuture, ModelErrorKind};
use crate::tool::{Left, Source, Spending};
use crate::{
    Agent, Annotations, FnModel, Limits, Message, Model, ModelError, Reply, Request, Run,
    ScriptedModel, StopReason, Tool, ToolContext, ToolError, Usage, tool, tools,
};

/// An agent that asks `tool` one question, and then answers.
/// A reply that is counted is not estimated.
const ONE: Usage = Usage { prompt_tokens: 1, completion_tokens: 0, cached_tokens: 0 };

fn asking(tool: Tool, limits: Limits) -> Agent {
    let model = ScriptedModel::new([
        Reply::call("ask", json!({"question": "Why?"})).with_usage(ONE),
        Reply::text("That is why.").with_usage(ONE),
    ]);
    Agent::builder().model(model).tools([tool]).limits(limits).build().unwrap()
}

fn answering(model: impl Model + 'static) -> Agent {
    Agent::builder().model(model).tools(tools![dig, give_up]).max_steps(2).build().unwrap()
}

#[tool("Dig.", register = false)]
fn dig() {}

#[tool("Give up.", register = false)]
fn give_up() -> Result<(), ToolError> {
    Err(ToolError::fatal("the shovel broke"))
}

/// What `tool` came to in a run of the agent that asks it.
fn result(run: &Run) -> &str {
    run.transcript()
        .messages()
        .iter()
        .find_map(|message| match message {
            Message::Tool(result) => Some(result.content.as_str()),
            _ => None,
        })
        .unwrap()
}

async fn asked(agent: &Agent) -> String {
    let tool = agent.as_tool("ask", "Answers questions.").unwrap();
    let run = asking(tool, Limits::default()).run("Please find out.").await.unwrap();
    assert_eq!(run.answer().unwrap(), "That is why.");
    result(&run).to_owned()
}

fn dig_for_ever() -> impl Model {
    FnModel::new(|messages: &[Message]| Ok(Reply::call("dig", json!({"n": messages.len()}))))
}

/// A model that never replies, and tells when no one waits for it any more.
#[derive(Clone, Default)]
struct Silent(Arc<Watched>);

#[derive(Default)]
struct Watched {
    asked: Notify,
    left: AtomicBool,
}

impl Silent {
    fn is_left(&self) -> bool {
        self.0.left.load(Ordering::SeqCst)
    }
}

impl Model for Silent {
    fn name(&self) -> &str {
        "silent"
    }

    fn reply<'a>(&'a self, _: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        struct Leave<'a>(&'a Watched);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.left.store(true, Ordering::SeqCst);
            }
        }
        Box::pin(async {
            let _leave = Leave(&self.0);
            self.0.asked.notify_one();
            std::future::pending().await
        })
    }
}

#[tokio::test]
async fn the_question_is_asked_of_the_agent_and_its_answer_is_the_result() {
    let echo = FnModel::new(|messages: &[Message]| match messages {
        [Message::User { content }] => Ok(Reply::text(format!("You ask: {content}"))),
        other => Ok(Reply::text(format!("{} messages", other.len()))),
    });
    assert_eq!(asked(&answering(echo)).await, "You ask: Why?");
}

#[tokio::test]
async fn a_run_that_stops_without_an_answer_is_an_error_result_that_says_why() {
    assert_eq!(
        asked(&answering(dig_for_ever())).await,
        "error(failed): the agent stopped without an answer: max_steps; ask it for less, or go on without it"
    );
}

#[tokio::test]
async fn what_ends_the_inner_run_does_not_end_the_callers() {
    let failing = FnModel::new(|_: &[Message]| {
        Err(ModelError::of(ModelErrorKind::Config, "no such model".to_owned()))
    });
    assert_eq!(
        asked(&answering(failing)).await,
        "error(failed): the agent failed: the model did not answer: no such model; \
         try once more, or go on without it"
    );
    let fatal = ScriptedModel::new([Reply::call("give_up", json!({}))]);
    assert_eq!(
        asked(&answering(fatal)).await,
        "error(failed): the agent failed: the tool `give_up` ended the run: the shovel broke; \
         try once more, or go on without it"
    );
}

#[tokio::test]
async fn the_inner_run_ends_at_the_callers_limit_of_time() {
    let silent = Silent::default();
    let tool = answering(silent.clone()).as_tool("ask", "Answers questions.").unwrap();
    let limits = Limits { tool_timeout: Duration::from_millis(20), ..Limits::default() };
    let run = asking(tool, limits).run("Please find out.").await.unwrap();
    assert_eq!(run.answer().unwrap(), "That is why.");
    assert!(result(&run).starts_with("error("), "{}", result(&run));
    assert!(silent.is_left());
}

#[tokio::test]
async fn an_agents_own_deadline_is_the_time_limit_of_its_tool() {
    let limits = Limits { deadline: Some(Duration::from_millis(20)), ..Limits::default() };
    let agent = Agent::builder().model(Silent::default()).tools([]).limits(limits).build().unwrap();
    let tool = agent.as_tool("ask", "Answers questions.").unwrap();
    assert_eq!(tool.timeout(), Some(Duration::from_millis(20)));
    let tool = tool.with_timeout(Duration::from_secs(600));
    let run = asking(tool, Limits::default()).run("Please find out.").await.unwrap();
    assert!(result(&run).contains("without an answer: deadline"), "{}", result(&run));
}

#[tokio::test]
async fn cancelling_the_caller_cancels_the_inner_run() {
    let silent = Silent::default();
    let tool = answering(silent.clone()).as_tool("ask", "Answers questions.").unwrap();
    let mut run = asking(tool, Limits::default()).start("Please find out.");
    let cancel = run.cancel_token();
    let (stop, ()) = tokio::join!(run.drive(), async {
        silent.0.asked.notified().await;
        cancel.cancel();
    });
    assert_eq!(stop.unwrap(), StopReason::Cancelled);
    assert!(silent.is_left());
}

/// Calls the tool outside any run, with `spending` as its caller's.
async fn call(tool: &Tool, spending: &Spending) -> Result<String, ToolError> {
    let Source::Dynamic(dynamic) = tool.source() else { panic!("an agent is no function") };
    let arguments = json!({"question": "Why?"}).as_object().unwrap().clone();
    let context = ToolContext {
        run_id: "r".into(),
        step: 1,
        index: 0,
        call_id: "c".into(),
        tool: tool.clone(),
        arguments: arguments.clone().into(),
        deadline: None,
        cancelled: CancellationToken::new(),
        spending: spending.clone(),
    };
    (dynamic.call)(arguments.into(), context).await
}

#[tokio::test]
async fn the_inner_runs_tokens_are_the_callers_also_when_it_is_dropped() {
    let used = Usage { prompt_tokens: 30, completion_tokens: 2, cached_tokens: 0 };
    let agent = answering(ScriptedModel::new([
        Reply::call("dig", json!({})).with_usage(used),
        Reply::text("Because.").with_usage(used),
    ]));
    let tool = agent.as_tool("ask", "Answers questions.").unwrap();
    let spending = Spending::default();
    assert_eq!(call(&tool, &spending).await.unwrap(), "Because.");
    assert_eq!(spending.take().tokens, 64);

    let (dug, mut replies) = (Arc::new(Notify::new()), 0);
    let tell = Arc::clone(&dug);
    let model = FnModel::new(move |_: &[Message]| {
        replies += 1;
        if replies == 2 {
            tell.notify_one();
        }
        Ok(Reply::call("dig", json!({"n": replies})).with_usage(used))
    });
    let agent = Agent::builder().model(model).tools(tools![dig]).max_steps(1000).build().unwrap();
    let tool = agent.as_tool("ask", "Answers questions.").unwrap();
    tokio::select! {
        biased;
        () = dug.notified() => {}
        _ = call(&tool, &spending) => panic!("it goes on for long"),
    }
    assert!(spending.take().tokens >= 30, "what was used before it was dropped");
}

/// An agent that digs for ever, at 40 tokens a step.
fn digging() -> Agent {
    let mut steps = 0;
    let model = FnModel::new(move |_: &[Message]| {
        steps += 1;
        let used = Usage { prompt_tokens: 30, completion_tokens: 10, cached_tokens: 0 };
        Ok(Reply::call("dig", json!({"n": steps})).with_usage(used))
    });
    Agent::builder().model(model).tools(tools![dig]).max_steps(1000).build().unwrap()
}

#[tokio::test]
async fn the_inner_run_keeps_within_the_callers_tokens_and_counts_as_its_own() {
    let tool = digging().as_tool("ask", "Answers questions.").unwrap();
    let limits = Limits { token_budget: Some(100), ..Limits::default() };
    let run = asking(tool, limits).run("Please find out.").await.unwrap();
    assert!(result(&run).contains("without an answer: token_budget"), "{}", result(&run));
    assert_eq!(run.stop(), Some(StopReason::TokenBudget));
    assert_eq!(run.counts().usage.total(), 121);
}

#[tokio::test]
async fn agents_that_run_side_by_side_keep_within_the_callers_tokens_together() {
    let tool = digging().as_tool("ask", "Answers questions.").unwrap();
    let tool = tool.with_annotations(Annotations::new().read_only());
    let calls = (0..8).fold(Reply::default(), |reply, n| {
        reply.and_call("ask", json!({"question": format!("Why {n}?")}))
    });
    let model = ScriptedModel::new([calls.with_usage(ONE)]);
    let limits = Limits { token_budget: Some(200), ..Limits::default() };
    let agent = Agent::builder().model(model).tools([tool]).limits(limits).build().unwrap();
    let run = agent.run("Please find out.").await.unwrap();
    assert_eq!((run.stop(), run.counts().usage.total()), (Some(StopReason::TokenBudget), 201));
    assert_eq!(run.counts().tool_calls, 8);
}

#[tokio::test]
async fn an_agent_is_not_asked_when_no_tokens_are_left() {
    let tool = answering(ScriptedModel::new([])).as_tool("ask", "Answers questions.").unwrap();
    let error =
        call(&tool, &Spending::new(Left { tokens: Some(0), cost: None }, None)).await.unwrap_err();
    assert_eq!(error.to_string(), "nothing is left for it in the run's budget; go on without it");
}

#[test]
fn a_name_no_model_could_call_is_refused() {
    let error = answering(ScriptedModel::new([])).as_tool("ask me", "Answers.").unwrap_err();
    assert!(error.to_string().starts_with("no tool can be named `ask me`: "), "{error}");
}
