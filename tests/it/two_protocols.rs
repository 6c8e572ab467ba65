//! One conversation, over both protocols and from one to the other, against a server that refuses
//! whatever the real ones would refuse.

use std::error::Error;
use std::pin::pin;
use std::sync::Arc;

use agent_core::anthropic::Anthropic;
use agent_core::chat::ChatCompletions;
use agent_core::model::{BoxFuture, Model, ModelError, Reply, Request};
use agent_core::{
    Agent, BuildError, Limits, Message, Run, StopReason, Transcript, Usage, tool, tools,
};
use serde_json::{Value, json};
use tests::server::{Answer, Protocol, Server};
use tests::{check_transcript, results};
use tokio::sync::{Notify, watch};

#[tool("Divide a by b.", read_only, register = false)]
fn divide(a: i64, b: i64) -> Result<i64, String> {
    a.checked_div(b).ok_or_else(|| "division by zero".to_owned())
}

#[tool("The time of day.", read_only, register = false)]
fn now() -> &'static str {
    "noon"
}

const FIRST: &str = "What are 6 / 2 and 1 / 0?";
const SECOND: &str = "And what time is it?";

/// What the model says, whichever protocol it is asked by.
fn replies() -> [Reply; 4] {
    let usage = Usage { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 60 };
    let call = |id: &str, name: &str, arguments: Value| {
        Reply::default().and_call_with_id(id, name, arguments)
    };
    [
        call("call_1", "divide", json!({"a": 6, "b": 2}))
            .and_call_with_id("call_2", "divide", json!({"a": 1, "b": 0}))
            .with_text("Dividing."),
        Reply::text("6 / 2 is 3; 1 / 0 has no value."),
        call("call_3", "now", json!({})),
        Reply::text("It is noon."),
    ]
    .map(|reply| reply.with_usage(usage))
}

/// The transcript, whatever the protocol.
fn expected() -> serde_json::Result<Transcript> {
    serde_json::from_value(json!([
        {"role": "system", "content": "Be exact."},
        {"role": "user", "content": FIRST},
        {"role": "assistant", "content": "Dividing.", "tool_calls": [
            {"id": "call_1", "name": "divide", "arguments": {"a": 6, "b": 2}},
            {"id": "call_2", "name": "divide", "arguments": {"a": 1, "b": 0}},
        ]},
        {"role": "tool", "call_id": "call_1", "name": "divide", "content": "3"},
        {"role": "tool", "call_id": "call_2", "name": "divide", "is_error": true,
         "content": "error(failed): division by zero"},
        {"role": "assistant", "content": "6 / 2 is 3; 1 / 0 has no value."},
        {"role": "user", "content": SECOND},
        {"role": "assistant", "tool_calls": [{"id": "call_3", "name": "now", "arguments": {}}]},
        {"role": "tool", "call_id": "call_3", "name": "now", "content": "noon"},
        {"role": "assistant", "content": "It is noon."},
    ]))
}

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn model(server: &Server, protocol: Protocol, stream: bool) -> Result<Box<dyn Model>, ModelError> {
    Ok(match protocol {
        Protocol::Messages => {
            let builder = Anthropic::builder().model("m").base_url(server.url());
            Box::new(builder.api_key("key").stream(stream).build()?)
        }
        Protocol::Chat => {
            let builder = ChatCompletions::builder().model("m").base_url(server.url());
            Box::new(builder.api_key("key").stream(stream).build()?)
        }
    })
}

fn agent(model: impl Model + 'static) -> Result<Agent, BuildError> {
    Agent::builder().model(model).tools(tools![divide, now]).system("Be exact.").build()
}

async fn answered(mut run: Run) -> Outcome<Run> {
    assert_eq!(run.drive().await?, StopReason::Answered);
    check_transcript(run.transcript())?;
    Ok(run)
}

/// The protocols of the requests that the server has seen, none of which it refused.
fn spoken(server: &Server) -> Vec<Protocol> {
    let log = server.log();
    assert_eq!(log.refused, [] as [&str; 0]);
    log.received.iter().filter_map(|request| request.protocol()).collect()
}

#[tokio::test]
async fn one_transcript_comes_out_whichever_protocol_the_model_speaks() -> Outcome {
    use Protocol::{Chat, Messages};
    for stream in [true, false] {
        for (first, second) in
            [(Chat, Chat), (Messages, Messages), (Chat, Messages), (Messages, Chat)]
        {
            let server = Server::list(replies().map(Answer::reply));
            let asked = answered(agent(model(&server, first, stream)?)?.start(FIRST)).await?;
            let transcript = asked.transcript().clone();
            let asked_again = agent(model(&server, second, stream)?)?.resume(transcript, SECOND);
            let run = answered(asked_again).await?;
            assert_eq!(*run.transcript(), expected()?, "{first:?} then {second:?}");
            assert_eq!(run.counts().usage.prompt_tokens, 200);
            assert_eq!(run.counts().usage.cached_tokens, 120);
            assert_eq!(spoken(&server), [first, first, second, second]);
        }
    }
    Ok(())
}

/// Asks two models in turn.
struct Alternating([Box<dyn Model>; 2]);

impl Model for Alternating {
    fn name(&self) -> &str {
        "alternating"
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let [one, other] = &self.0;
        let replies =
            request.messages.iter().filter(|message| matches!(message, Message::Assistant(_)));
        if replies.count() % 2 == 0 { one.reply(request) } else { other.reply(request) }
    }
}

#[tokio::test]
async fn the_protocol_may_change_from_step_to_step_of_a_run() -> Outcome {
    let server = Server::list(replies().map(Answer::reply));
    let [one, other] = [Protocol::Messages, Protocol::Chat];
    let models = [model(&server, one, true)?, model(&server, other, true)?];
    let mut run = answered(agent(Alternating(models))?.start(FIRST)).await?;
    run.ask(SECOND);
    let run = answered(run).await?;
    assert_eq!(*run.transcript(), expected()?);
    assert_eq!(spoken(&server), [one, other, one, other]);
    Ok(())
}

#[tokio::test]
async fn signed_thinking_goes_back_to_its_provider_and_to_no_other() -> Outcome {
    let mut thoughtful = replies();
    for reply in &mut thoughtful {
        reply.reasoning = Some("Let me see.".into());
    }
    let server = Server::list(thoughtful.map(Answer::reply));
    let asked = answered(agent(model(&server, Protocol::Messages, true)?)?.start(FIRST)).await?;
    let transcript = asked.transcript().clone();
    let chat = agent(model(&server, Protocol::Chat, true)?)?.resume(transcript, SECOND);
    let transcript = answered(chat).await?.transcript().clone();
    assert_eq!(spoken(&server).len(), 4);
    let thoughts = |body: &[u8]| String::from_utf8_lossy(body).matches("\"thinking\":\"").count();
    let bodies: Vec<usize> =
        server.log().received.iter().map(|sent| thoughts(&sent.body)).collect();
    assert_eq!(bodies, [0, 1, 0, 0]);

    let server = Server::list([Answer::reply(Reply::text("Yes."))]);
    let back = agent(model(&server, Protocol::Messages, true)?)?.resume(transcript, "Sure?");
    answered(back).await?;
    let body = server.log().received[0].json();
    assert_eq!(spoken(&server), [Protocol::Messages]);
    let said = body["messages"].as_array().into_iter().flatten();
    let thinking = said.map(|message| message["content"][0]["type"] == "thinking");
    assert_eq!(
        thinking.collect::<Vec<_>>(),
        [false, true, false, true, false, false, false, false, false]
    );
    Ok(())
}

#[tokio::test]
async fn the_last_request_of_a_wrap_up_is_taken_without_tools() -> Outcome {
    for protocol in [Protocol::Messages, Protocol::Chat] {
        let server = Server::list(replies().map(Answer::reply));
        let limits = Limits { max_steps: 1, wrap_up: true, ..Limits::default() };
        let builder = Agent::builder().model(model(&server, protocol, true)?).limits(limits);
        let agent = builder.tools(tools![divide, now]).build()?;
        let run = agent.run(FIRST).await?;
        assert_eq!(run.answer()?, "6 / 2 is 3; 1 / 0 has no value.");
        assert_eq!(spoken(&server), [protocol, protocol]);
    }
    Ok(())
}

#[tool("Wait for ever.", read_only, register = false)]
async fn wait(#[state] started: Arc<Notify>) {
    started.notify_one();
    std::future::pending::<()>().await;
}

/// The finished call keeps its result, the other is answered, and what answers no call is left out.
#[tokio::test]
async fn a_question_after_a_dropped_run_or_a_damaged_history_is_a_valid_request() -> Outcome {
    for protocol in [Protocol::Messages, Protocol::Chat] {
        let [both, answer, ..] = replies();
        let cut_short = both.and_call_with_id("call_3", "wait", json!({}));
        let server = Server::list([cut_short, answer.clone(), answer].map(Answer::reply));
        let started = Arc::new(Notify::new());
        let builder = Agent::builder().model(model(&server, protocol, true)?);
        let builder = builder.tools(tools![divide, now, wait]).state(Arc::clone(&started));
        let agent = builder.build()?;
        let mut run = agent.start(FIRST);
        tokio::select! {
            outcome = pin!(run.drive()) => return Err(format!("it ended: {outcome:?}").into()),
            () = started.notified() => {}
        }
        assert_eq!(run.stop(), Some(StopReason::Cancelled));
        run.ask(SECOND);
        let run = answered(run).await?;
        let told = results(run.transcript());
        assert!(told[2].starts_with("error(cancelled): "), "{told:?}");

        let mut damaged = run.transcript().messages().to_vec();
        damaged.drain(..2);
        let stray = damaged.iter().position(|message| matches!(message, Message::Tool(_)));
        let stray = damaged.remove(stray.ok_or("no result")?);
        damaged.insert(0, stray);
        answered(agent.resume(Transcript::repaired(damaged), SECOND)).await?;
        assert_eq!(spoken(&server), [protocol; 3]);
    }
    Ok(())
}

#[tool("Answer when it is its turn; the second fails.", read_only, register = false)]
async fn in_turn(#[state] turn: Arc<watch::Sender<u32>>, place: u32) -> Result<String, String> {
    let mut now = turn.subscribe();
    now.wait_for(|now| *now == place).await.map_err(|error| error.to_string())?;
    turn.send_replace(place + 1);
    if place == 1 { Err("as ever".to_owned()) } else { Ok(format!("was {place}")) }
}

#[tokio::test]
async fn results_that_come_out_of_order_are_sent_in_the_order_of_the_calls() -> Outcome {
    for protocol in [Protocol::Messages, Protocol::Chat] {
        let call = |reply: Reply, place| reply.and_call("in_turn", json!({ "place": place }));
        let step = [1, 2, 0].into_iter().fold(Reply::default(), call);
        let script = [step, Reply::text("Done."), Reply::text("Noon.")];
        let server = Server::list(script.map(Answer::reply));
        let builder = Agent::builder().model(model(&server, protocol, false)?);
        let agent = builder.tools(tools![in_turn]).state(watch::Sender::new(0_u32)).build()?;
        let mut session = agent.session();
        session.ask("Go.").await?;
        assert_eq!(results(session.transcript()), ["error(failed): as ever", "was 2", "was 0"]);
        session.ask(SECOND).await?;
        check_transcript(session.transcript())?;
        assert_eq!(spoken(&server), [protocol; 3]);
    }
    Ok(())
}
