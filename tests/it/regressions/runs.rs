//! Faults of runs that no one watches.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use agent_core::agent::{Approval, ApprovalPolicy, ApprovalRequest};
use agent_core::context::{ContextPolicy, Room};
use agent_core::model::{BoxFuture, Model, ModelErrorKind};
use agent_core::{
    Agent, AgentBuilder, Cost, DailyBudget, FnModel, Limits, Message, ModelError, Prices, Reply,
    Request, Run, ScriptedModel, StopReason, ToolCall, Usage, tool, tools,
};
use serde_json::json;
use tests::results;

use super::Bomb;

#[tool("Send money.", inline, register = false)]
fn send(amount: f64) -> String {
    format!("sent {amount}")
}

fn sending(builder: AgentBuilder) -> Agent {
    let replies = [Reply::call("send", json!({"amount": 1})), Reply::text("done")];
    builder.model(ScriptedModel::new(replies)).tools(tools![send]).build().unwrap()
}

#[tokio::test]
async fn a_panic_whose_payload_panics_too_costs_no_run() {
    fn explode<T>() -> T {
        std::panic::panic_any(Bomb)
    }
    let every_call = || Agent::builder().approval_policy(ApprovalPolicy::new().every_call());
    for builder in [
        Agent::builder().approval_policy(ApprovalPolicy::new().when(|_, _| explode())),
        every_call().approver(|_: &ApprovalRequest<'_>| -> Approval { explode() }),
        Agent::builder().on_event(|_| explode()),
    ] {
        let run = sending(builder).run("go").await.unwrap();
        assert_eq!(run.stop(), Some(StopReason::Answered));
    }
}

#[tokio::test]
async fn a_rule_and_an_approver_see_the_arguments_that_the_tool_reads() {
    let large = |call: &ToolCall| call.arguments["amount"].as_f64() > Some(100.0);
    for amount in [json!(2000), json!("2000"), json!(" 2e3 ")] {
        let replies = || {
            let call = Reply::call("send", json!({"amount": amount}));
            [call, Reply::text("done")]
        };
        let agent = |builder: AgentBuilder| {
            builder.model(ScriptedModel::new(replies())).tools(tools![send]).build().unwrap()
        };
        let ruled = ApprovalPolicy::new().when(move |_, call| large(call));
        let asking = Agent::builder().approval_policy(ApprovalPolicy::new().every_call());
        let decide = move |request: &ApprovalRequest<'_>| match large(request.call) {
            true => Approval::deny("too much"),
            false => Approval::Allow,
        };
        let alone = agent(Agent::builder().approval_policy(ruled));
        for agent in [alone, agent(asking.approver(decide))] {
            let run = agent.run("go").await.unwrap();
            let direct = agent.call("send", json!({"amount": amount})).await;
            for result in [results(run.transcript())[0], &direct.content] {
                assert!(result.starts_with("error(denied)"), "{amount}: {result}");
            }
        }
        let later = |_: &ApprovalRequest<'_>| Approval::Later;
        let asking = Agent::builder().approval_policy(ApprovalPolicy::new().every_call());
        let mut run = agent(asking.approver(later)).run("go").await.unwrap();
        let pending = run.pending();
        assert!(large(&pending[0].call), "{pending:?}");
        run.decide(&pending[0], Approval::Allow).unwrap();
        run.drive().await.unwrap();
        assert_eq!(results(run.transcript()), ["sent 2000"]);
    }
}

/// Shows something else each time, and never less.
#[derive(Default)]
struct Fickle(AtomicU32);

impl ContextPolicy for Fickle {
    fn cut(&self, messages: &[Message], _: &Room<'_>) -> Vec<Message> {
        let cuts = self.0.fetch_add(1, Ordering::SeqCst);
        let mut shown = messages.to_vec();
        shown.insert(0, Message::System { content: format!("Cut {cuts} times.") });
        shown
    }
}

#[tokio::test]
async fn a_request_that_is_always_too_long_is_not_sent_for_ever() {
    let mut requests = 0;
    let model = FnModel::new(move |_: &[Message]| {
        requests += 1;
        assert!(requests < 10);
        Err(ModelError::of(ModelErrorKind::ContextLength, "too long"))
    });
    let agent = Agent::builder().model(model).tools([]).context_policy(Fickle::default());
    let error = agent.build().unwrap().run("Why?").await.unwrap_err();
    assert_eq!(error.to_string(), "the model did not answer: too long");
}

/// A model with prices: a dollar for a million tokens.
struct Priced<M>(M);

impl<M: Model> Model for Priced<M> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn prices(&self) -> Option<Prices> {
        Prices::new(1.0, 1.0).ok()
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        self.0.reply(request)
    }
}

/// A million tokens sent, and none to speak of that came back.
const MILLION: Usage = Usage { prompt_tokens: 1_000_000, completion_tokens: 1, cached_tokens: 0 };

fn sending_for_ever(usage: Usage) -> impl Model {
    let mut amount = 0;
    FnModel::new(move |_: &[Message]| {
        amount += 1;
        Ok(Reply::call("send", json!({"amount": amount})).with_usage(usage))
    })
}

/// A run of an agent that asks an agent, which sends for ever.
async fn asking(inner: impl Model + 'static, instructions: &str, limits: Limits) -> Run {
    let inner = Agent::builder().model(inner).tools(tools![send]).system(instructions);
    let tool = inner.max_steps(50).build().unwrap().as_tool("ask", "Answers.").unwrap();
    let few = Usage { prompt_tokens: 1, completion_tokens: 1, cached_tokens: 0 };
    let ask = Reply::call("ask", json!({"question": "Why?"})).with_usage(few);
    let model = Priced(ScriptedModel::new([ask, Reply::text("done").with_usage(few)]));
    let outer = Agent::builder().model(model).tools([tool]).limits(limits).build().unwrap();
    outer.run("go").await.unwrap()
}

#[tokio::test]
async fn an_agent_that_is_asked_keeps_within_the_callers_budget_of_money() {
    let budget = Cost::from_dollars(3.0).unwrap();
    let limits = || Limits { cost_budget: Some(budget), ..Limits::default() };
    let run = asking(Priced(sending_for_ever(MILLION)), "", limits()).await;
    assert_eq!(run.stop(), Some(StopReason::CostBudget));
    assert!(results(run.transcript())[0].contains("without an answer: cost_budget"));
    let over = Cost::from_dollars(4.0).unwrap();
    assert!((budget..over).contains(&run.cost().unwrap()), "{:?}", run.cost());

    let run = asking(sending_for_ever(MILLION), "", limits()).await;
    assert!(results(run.transcript())[0].contains("has no prices"), "{run:?}");
    assert_eq!(run.answer().unwrap(), "done");
}

#[tokio::test]
async fn tokens_that_no_one_counts_are_estimated_also_for_an_agent_that_is_asked() {
    let long = "word ".repeat(8000);
    let limits = || Limits { token_budget: Some(30_000), ..Limits::default() };
    let run = asking(sending_for_ever(Usage::default()), &long, limits()).await;
    assert_eq!(run.stop(), Some(StopReason::TokenBudget));
    assert!(results(run.transcript())[0].contains("without an answer: token_budget"));
}

#[tokio::test]
async fn the_half_of_a_usage_that_is_left_out_is_estimated() {
    let said = Reply::call("send", json!({"amount": 1})).with_text("word ".repeat(8000));
    let prompt = Usage { prompt_tokens: 1, ..Usage::default() };
    let completion = Usage { completion_tokens: 1, ..Usage::default() };
    for usage in [prompt, completion] {
        let model = ScriptedModel::new([said.clone().with_usage(usage)]);
        let limits = Limits { token_budget: Some(2000), ..Limits::default() };
        let agent = Agent::builder().model(model).tools(tools![send]).limits(limits);
        let run = agent.system("word ".repeat(8000)).build().unwrap().run("go").await.unwrap();
        assert_eq!(run.stop(), Some(StopReason::TokenBudget));
        assert_eq!(run.counts().usage, usage, "what the provider counted is told as it is");
    }
}

#[tokio::test]
async fn an_agent_that_is_called_without_a_run_keeps_to_the_callers_daily_budget() {
    let folder = tempfile::tempdir().unwrap();
    let budget = DailyBudget { tokens: 10, file: folder.path().join("budget.json") };
    let replies = [Reply::text("Because.").with_usage(MILLION), Reply::text("So.")];
    let inner = Agent::builder().model(ScriptedModel::new(replies)).tools([]).build().unwrap();
    let limits = Limits { daily_budget: Some(budget.clone()), ..Limits::default() };
    let tool = inner.as_tool("ask", "Answers.").unwrap();
    let agent = Agent::builder().model(ScriptedModel::new([])).tools([tool]).limits(limits);
    let agent = agent.build().unwrap();
    let question = json!({"question": "Why?"});
    assert_eq!(agent.call("ask", question.clone()).await.content, "Because.");
    assert_eq!(budget.usage().unwrap().used, MILLION.total());
    assert!(agent.call("ask", question).await.content.contains("daily_budget"));
}

#[tokio::test]
async fn the_calls_of_a_wide_reply_take_time_in_proportion_to_their_number() {
    #[tool("Look.", read_only, inline, register = false)]
    fn look(n: u32) -> u32 {
        n
    }
    #[tool("Look, if allowed.", read_only, needs_approval, inline, register = false)]
    fn look_if_allowed(n: u32) -> u32 {
        n
    }
    #[tool("Act.", inline, register = false)]
    fn act(n: u32) -> u32 {
        n
    }
    const WIDE: u32 = 40_000;
    for name in ["look", "look_if_allowed", "act"] {
        let add = |reply: Reply, n| reply.and_call(name, json!({"n": n}));
        let wide = (0..WIDE).fold(Reply::default(), add);
        let agent = Agent::builder()
            .model(ScriptedModel::new([wide, Reply::text("done")]))
            .tools(tools![look, look_if_allowed, act])
            .limits(Limits { max_tool_calls: WIDE, ..Limits::default() })
            .approver(|_: &ApprovalRequest<'_>| Approval::Allow)
            .build()
            .unwrap();
        let started = Instant::now();
        let run = agent.run("go").await.unwrap();
        let numbers = (0..WIDE).map(|n| n.to_string());
        assert!(numbers.eq(results(run.transcript())), "{name}");
        // With time for the square of their number, minutes.
        assert!(started.elapsed() < Duration::from_secs(60), "{name}");
    }
}

#[tokio::test]
async fn a_session_counts_each_question_however_it_is_asked() {
    let replies = ["one", "two", "three"].map(Reply::text);
    let model = Priced(ScriptedModel::new(replies.map(|reply| reply.with_usage(MILLION))));
    let mut session = Agent::builder().model(model).tools([]).build().unwrap().session();
    session.ask("first").await.unwrap();
    session.run_mut().ask("second");
    session.run_mut().drive().await.unwrap();
    session.ask("third").await.unwrap();
    assert_eq!(session.counts().usage.prompt_tokens, 3_000_000);
    assert!(session.cost() > Cost::from_dollars(3.0).ok());
}
