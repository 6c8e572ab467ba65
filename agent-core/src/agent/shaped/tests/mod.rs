mod always;

use std::sync::{Arc, Mutex};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::RunAsError;
use crate::model::{BoxFuture, Model, ModelError};
use crate::{
    Agent, Dialect, Limits, Message, Reply, Request, Run, ScriptedModel, StopReason, Usage, tool,
    tools,
};

/// A town and who lives there.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Town {
    name: String,
    people: Option<u32>,
}

#[tool("Look it up.", read_only, register = false)]
fn look_up(what: String) -> String {
    format!("{what} is in the book")
}

#[tool("Finish the floor.", register = false)]
fn finish() {}

/// What a model was sent, one line a request: the tools it was offered, and the shape asked for.
type Seen = Arc<Mutex<Vec<String>>>;

/// A script that can be held to a schema where `held` says so, with tools and without.
struct Scripted {
    script: ScriptedModel,
    held: [bool; 2],
    seen: Seen,
}

impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn structured_output(&self, with_tools: bool) -> bool {
        self.held[usize::from(!with_tools)]
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let tools: Vec<&str> = request.tools.iter().map(|tool| tool.name()).collect();
        let shape = request.output.map_or("text", |output| output.name());
        self.seen.lock().unwrap().push(format!("{}: {shape}", tools.join(" ")));
        self.script.reply(request)
    }
}

fn agent(held: [bool; 2], limits: Limits, replies: Vec<Reply>) -> (Agent, Seen) {
    let seen = Seen::default();
    let (script, told) = (ScriptedModel::new(replies), Arc::clone(&seen));
    let model = Scripted { script, held, seen: told };
    (Agent::builder().model(model).tools(tools![look_up]).limits(limits).build().unwrap(), seen)
}

/// An agent whose model calls `finish`.
fn by_call(replies: Vec<Reply>) -> Agent {
    agent([false, false], Limits::default(), replies).0
}

/// An agent whose model is held to a schema.
fn by_text(replies: Vec<Reply>) -> Agent {
    agent([true, true], Limits::default(), replies).0
}

fn ulm() -> Town {
    Town { name: "Ulm".into(), people: Some(128) }
}

fn finished() -> Reply {
    Reply::call("finish", json!({"name": "Ulm", "people": 128}))
}

/// The contents of the messages after the question, those of replies left out.
fn told(run: &Run) -> Vec<&str> {
    let messages = run.transcript().messages().iter().skip(1);
    messages
        .filter_map(|message| match message {
            Message::Tool(result) => Some(result.content.as_str()),
            Message::User { content } => Some(content.as_str()),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn the_call_of_finish_is_the_answer() {
    let agent = by_call(vec![Reply::call("look_up", json!({"what": "Ulm"})), finished()]);
    let shaped = agent.run_as::<Town>("Which town?").await.unwrap();
    assert_eq!(shaped.value, ulm());
    assert_eq!(shaped.run.stop(), Some(StopReason::Answered));
    assert_eq!(shaped.run.answer().unwrap(), r#"{"name":"Ulm","people":128}"#);
    assert_eq!(told(&shaped.run), ["Ulm is in the book", "ok"]);
}

#[tokio::test]
async fn a_model_that_can_is_held_to_the_schema_and_has_no_further_tool() {
    let replies = || vec![Reply::text(r#"{"name":"Ulm","people":128}"#)];
    for (held, expected) in [
        ([true, true], "look_up: Town"),
        ([false, true], "finish look_up: text"),
        ([false, false], "finish look_up: text"),
    ] {
        let (agent, seen) = agent(held, Limits::default(), replies());
        assert_eq!(agent.run_as::<Town>("Which town?").await.unwrap().value, ulm());
        assert_eq!(*seen.lock().unwrap(), [expected]);
    }
}

#[tokio::test]
async fn what_does_not_fit_goes_back_with_what_is_wrong() {
    let agent = by_text(vec![
        Reply::text("It is Ulm."),
        Reply::text(r#"{"name": "Ulm", "people": "many"}"#),
        Reply::text("```json\n{\"name\": \"Ulm\", \"people\": \"128\"}\n```"),
    ]);
    let shaped = agent.run_as::<Town>("Which town?").await.unwrap();
    assert_eq!((shaped.value, shaped.run.counts().steps), (ulm(), 3));
    assert_eq!(
        told(&shaped.run),
        [
            "The answer does not fit: `answer`: not valid JSON: expected value at line 1 column 1; \
             answer again with one JSON object and nothing else (fields: name, people)",
            "The answer does not fit: `people`: expected an integer from 0 to 4294967295, got \"many\"; \
             answer again with one JSON object and nothing else (fields: name, people)",
        ]
    );
    let agent = by_call(vec![
        Reply::text("It is Ulm."),
        Reply::call("finish", json!({"nam": "Ulm"})),
        finished(),
    ]);
    let shaped = agent.run_as::<Town>("Which town?").await.unwrap();
    assert_eq!(
        told(&shaped.run),
        [
            "The answer does not fit: `answer`: not valid JSON: expected value at line 1 column 1; \
             give it by calling `finish` (parameters: name, people)",
            "error(invalid_arguments): `nam`: unknown parameter, did you mean `name`?; \
             `name`: missing, expected text; call again with these corrected (parameters: name, people)",
            "ok",
        ]
    );
}

#[tokio::test]
async fn it_goes_back_no_more_often_than_the_limit_allows() {
    let misfits = [Reply::text("Ulm"), Reply::call("finish", json!({})), Reply::text("")];
    for answer_retries in 0..3 {
        let limits = Limits { answer_retries, ..Limits::default() };
        let (agent, _) = agent([false, false], limits, misfits.to_vec());
        let error = agent.run_as::<Town>("Which town?").await.unwrap_err();
        let RunAsError::NoAnswer(run) = &error else { panic!("{error}") };
        assert_eq!(run.stop(), Some(StopReason::InvalidAnswer));
        assert_eq!(run.counts().steps, answer_retries + 1);
        assert_eq!(
            error.to_string(),
            "the run stopped without an answer of the type asked for: invalid_answer; \
             the model's last words were: Ulm"
        );
    }
}

#[tokio::test]
async fn what_stands_before_the_answer_is_run_and_what_stands_after_it_is_not() {
    let look_up = |reply: Reply, what: &str| reply.and_call("look_up", json!({"what": what}));
    let reply = look_up(Reply::default(), "A").and_call("finish", json!({"name": "Ulm"}));
    let shaped = by_call(vec![look_up(reply, "B")]).run_as::<Town>("Which town?").await.unwrap();
    assert_eq!(
        told(&shaped.run),
        [
            "A is in the book",
            "ok",
            "error(cancelled): the run has its answer; call again if it is still needed",
        ]
    );
}

#[tokio::test]
async fn neither_a_limit_of_calls_nor_of_tokens_stands_in_the_answers_way() {
    let used = Usage { prompt_tokens: 99, ..Usage::default() };
    let limits = Limits { max_tool_calls: 0, token_budget: Some(9), ..Limits::default() };
    let (agent, _) = agent([false, false], limits, vec![finished().with_usage(used)]);
    assert_eq!(agent.run_as::<Town>("Which town?").await.unwrap().value, ulm());
}

#[tokio::test]
async fn the_last_request_offers_what_the_answer_is_given_with() {
    let limits = Limits { max_steps: 1, wrap_up: true, ..Limits::default() };
    let replies = || vec![Reply::call("look_up", json!({"what": "Ulm"})), finished()];
    let (agent, seen) = agent([false, false], limits, replies());
    let shaped = agent.run_as::<Town>("Which town?").await.unwrap();
    assert_eq!((shaped.value, shaped.run.stop()), (ulm(), Some(StopReason::MaxSteps)));
    assert_eq!(*seen.lock().unwrap(), ["finish look_up: text", "finish: text"]);
    assert!(told(&shaped.run)[1].ends_with("Call `finish` now, with what is known so far."));
}

#[tokio::test]
async fn a_tool_of_the_name_finish_stays_a_tool() {
    let replies =
        [Reply::call("finish", json!({})), Reply::call("finish_", json!({"name": "Ulm"}))];
    let model = ScriptedModel::new(replies);
    let agent = Agent::builder().model(model).tools(tools![finish]).build().unwrap();
    let shaped = agent.run_as::<Town>("Which town?").await.unwrap();
    assert_eq!((shaped.value.name.as_str(), shaped.run.counts().tool_calls), ("Ulm", 2));
    assert_eq!(agent.toolbox().tools().len(), 1);
}

#[tokio::test]
async fn what_is_no_object_is_an_answer_too() {
    let call = Reply::call("finish", json!({"value": ["a", "b"]}));
    let list = by_call(vec![call]).run_as::<Vec<String>>("Which?").await.unwrap();
    assert_eq!(
        (list.value.join(" "), list.run.answer().unwrap()),
        ("a b".into(), r#"["a","b"]"#.into())
    );
    for text in ["7", r#"{"value": 7}"#, r#"{"value": "7"}"#] {
        let number = by_text(vec![Reply::text(text)]).run_as::<u8>("How many?").await.unwrap();
        assert_eq!(number.value, 7);
    }
}

#[tokio::test]
async fn a_further_question_is_answered_in_the_same_shape() {
    let agent = by_text(vec![Reply::text("7"), Reply::text("eight"), Reply::text("8")]);
    let mut run = agent.run_as::<u8>("How many?").await.unwrap().run;
    run.ask("And one more?");
    run.drive().await.unwrap();
    assert_eq!((run.answer().unwrap().as_str(), run.counts().steps), ("8", 2));
}

#[tokio::test]
async fn a_run_that_fails_hands_itself_back() {
    let error = by_call(vec![]).run_as::<Town>("Which town?").await.unwrap_err();
    assert!(matches!(error, RunAsError::Failed(_)), "{error}");
    assert_eq!(error.into_run().unwrap().stop(), Some(StopReason::Error));
}

#[tokio::test]
async fn a_type_that_the_model_cannot_be_told_of_is_refused_before_it_is_asked() {
    struct Gemini;
    impl Model for Gemini {
        fn name(&self) -> &str {
            "gemini"
        }
        fn dialect(&self) -> Dialect {
            Dialect::Gemini
        }
        fn reply<'a>(&'a self, _: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
            Box::pin(async { panic!("it is not asked") })
        }
    }
    let agent = Agent::builder().model(Gemini).tools([]).build().unwrap();
    type Open = std::collections::BTreeMap<String, u8>;
    let error = agent.run_as::<Open>("How many of each?").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the answer's type cannot be asked for: `value` takes fields of any name, which Gemini's schema \
         cannot say"
    );
    assert!(error.into_run().is_none());
}
