//! The toolbox: taking tools together, tools made at run time, approval, secrets, lint.

use std::sync::{Arc, Mutex};

use agent_core::agent::{Approval, ApprovalRequest};
use agent_core::{
    Agent, Arguments, Dialect, Model, Reply, ScriptedModel, Tool, ToolContext, Toolbox, tool, tools,
};
use serde_json::{Value, json};
use tests::{check_transcript, results};

#[tool("Read a page.", read_only, tags("docs"), register = false)]
fn read(
    /** Which page. */
    path: String,
) -> String {
    path
}

#[tool("Read a page!", tags("docs", "old"), register = false)]
#[allow(non_snake_case)]
fn READ(
    /** Which page. */
    path: String,
) -> String {
    path
}

#[tool("Write a page.", register = false)]
fn write(path: String, text: String) -> String {
    format!("{path} {text}")
}

#[tool("Take anything.", register = false)]
fn anything(
    /** Anything. */
    value: Value,
) -> Value {
    value
}

fn names(toolbox: &Toolbox) -> Vec<&str> {
    toolbox.tools().iter().map(Tool::name).collect()
}

fn toolbox() -> Toolbox {
    Toolbox::new(tools![read, write, anything]).unwrap()
}

#[test]
fn a_toolbox_is_narrowed_by_name_tag_and_what_a_tool_does() {
    assert_eq!(names(&toolbox().only(["write", "read"]).unwrap()), ["read", "write"]);
    assert_eq!(names(&toolbox().without(["write"]).unwrap()), ["anything", "read"]);
    assert_eq!(names(&toolbox().tagged("docs")), ["read"]);
    assert_eq!(
        names(&toolbox().filter(|tool| !tool.annotations().read_only)),
        ["anything", "write"]
    );
    assert_eq!(
        names(&toolbox().with(tools![READ]).unwrap()),
        ["READ", "anything", "read", "write"]
    );
}

#[test]
fn a_name_that_is_not_there_is_refused_not_passed_over() {
    let error = toolbox().only(["raed"]).unwrap_err();
    assert_eq!(error.to_string(), "there is no tool `raed`; there are: read, write, anything");
    assert!(toolbox().without(["raed"]).is_err());
}

#[tokio::test]
async fn a_prefixed_tool_is_called_by_its_new_name_alone() {
    let toolbox = toolbox().prefixed("docs_").unwrap();
    let agent = Agent::builder().model(ScriptedModel::new([])).tools(toolbox).build().unwrap();
    assert_eq!(agent.call("docs_read", json!({"path": "a"})).await.content, "a");
    assert!(
        agent.call("read", json!({"path": "a"})).await.content.starts_with("error(unknown_tool)")
    );
    assert!(Toolbox::new(tools![read]).unwrap().prefixed("docs.").is_err());
    assert!(Toolbox::new(tools![read]).unwrap().prefixed(&"d".repeat(61)).is_err());
}

mod made_at_run_time {
    use super::*;

    fn echo(schema: Value) -> Result<Tool, agent_core::SchemaError> {
        Tool::from_schema(
            "echo",
            "Say it back.",
            schema,
            |arguments: Arguments, _: ToolContext| async move {
                Ok::<_, &'static str>(arguments.to_string())
            },
        )
    }

    async fn call(schema: Value, arguments: Value) -> String {
        let tools = [echo(schema).unwrap()];
        let agent = Agent::builder().model(ScriptedModel::new([])).tools(tools).build().unwrap();
        agent.call("echo", arguments).await.content
    }

    #[tokio::test]
    async fn its_arguments_are_checked_against_the_whole_schema() {
        let schema = json!({
            "type": "object",
            "properties": {
                "word": {"type": "string", "pattern": "^[a-z]+$"},
                "n": {"type": "integer", "multipleOf": 3},
                "pair": {"$ref": "#/definitions/pair"},
            },
            "required": ["word"],
            "additionalProperties": false,
            "definitions": {"pair": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}},
        });
        let fine = json!({"word": "abc", "n": "6", "pair": "[1, 2]"});
        assert_eq!(call(schema.clone(), fine).await, r#"{"n":6,"pair":[1,2],"word":"abc"}"#);
        let wrong = json!({"word": "ABC", "n": 4, "pair": [1], "more": 1});
        let text = call(schema.clone(), wrong).await;
        for part in [
            "error(invalid_arguments): ",
            "`more`: unknown parameter",
            "`word`: ",
            "`n`: 4 is not",
            "`pair`: ",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let text = call(schema, json!({"n": 3})).await;
        assert!(
            text.starts_with("error(invalid_arguments): `word`: missing, expected text"),
            "{text}"
        );
    }

    #[tokio::test]
    async fn a_schema_that_says_nothing_takes_any_object() {
        assert_eq!(call(json!({}), json!({"a": [1]})).await, r#"{"a":[1]}"#);
        let tool = echo(json!({})).unwrap();
        assert_eq!(tool.parameters().get(), r#"{"type":"object","properties":{}}"#);
    }

    #[test]
    fn what_is_no_schema_of_an_object_is_refused_naming_the_tool() {
        for (schema, problem) in [
            (json!(true), "its schema is no object"),
            (json!({"type": "string"}), "its schema is not that of an object"),
            (json!({"oneOf": []}), "its schema has `oneOf` at the root"),
            (json!({"properties": []}), "its properties are no object"),
            (json!({"properties": {"a": {"type": "strong"}}}), "its schema is not valid"),
            (json!({"properties": {"a": {"$ref": "#/$defs/none"}}}), "its schema is not valid"),
        ] {
            let error = echo(schema.clone()).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("the tool `echo` cannot be made: {problem}")),
                "{schema}: {error}"
            );
        }
    }

    #[test]
    fn a_name_no_model_could_call_is_refused() {
        for name in ["docs.read", "café", "", "9lives", "a/b", &"x".repeat(65)] {
            let made =
                Tool::from_schema(name, "No.", json!({}), |_, _| async { Ok::<_, &str>("") });
            assert!(made.is_err(), "{name}");
        }
    }
}

#[tool("Remove a page.", needs_approval, register = false)]
fn remove(path: String) -> String {
    format!("removed {path}")
}

#[tokio::test]
async fn a_call_that_needs_approval_is_run_only_if_it_is_given() {
    let script =
        || ScriptedModel::new([Reply::call("remove", json!({"path": "a"})), Reply::text("done")]);
    let alone = Agent::builder().model(script()).tools(tools![remove]).build().unwrap();
    let run = alone.run("go").await.unwrap();
    check_transcript(run.transcript()).unwrap();
    assert_eq!(
        results(run.transcript()),
        [
            "error(denied): the call was not allowed: it needs approval, and no one is there to give it; go on without it, \
          or ask the user"
        ]
    );
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let approver = move |request: &ApprovalRequest<'_>| {
        log.lock().unwrap().push(request.call.arguments.to_string());
        Approval::Allow
    };
    let asking =
        Agent::builder().model(script()).tools(tools![remove]).approver(approver).build().unwrap();
    let run = asking.run("go").await.unwrap();
    assert_eq!(results(run.transcript()), ["removed a"]);
    assert_eq!(*asked.lock().unwrap(), [r#"{"path":"a"}"#]);
}

#[tool("Log in.", register = false)]
fn login(user: String, #[arg(secret)] password: String, #[arg(secret)] pin: Option<u32>) -> String {
    format!("{user} gave {password} and {pin:?}")
}

#[tokio::test]
async fn secrets_are_masked_in_every_event_and_untouched_for_the_model() {
    let told = Arc::new(Mutex::new(String::new()));
    let log = Arc::clone(&told);
    let agent = Agent::builder()
        .model(ScriptedModel::new([
            Reply::call("login", json!({"user": "ann", "password": "hunter\"2", "pin": "4711"})),
            Reply::call("login", json!({"user": "ann", "password": 77123, "pin": "x4711"})),
            Reply::call("login", json!("{\"password\": \"hunter\"2\"")),
            Reply::text("done"),
        ]))
        .tools(tools![login])
        .on_event(move |event| log.lock().unwrap().push_str(&serde_json::to_string(event).unwrap()))
        .build()
        .unwrap();
    let run = agent.run("go").await.unwrap();
    assert_eq!(results(run.transcript())[0], "ann gave hunter\"2 and Some(4711)");
    let told = told.lock().unwrap();
    for secret in ["hunter", "4711", "77123"] {
        assert!(!told.contains(secret), "{secret} in {told}");
    }
    assert!(told.contains("ann gave *** and Some(***)"));
}

#[test]
fn lint_says_what_will_serve_a_model_badly() {
    let many = (0..129).map(|n| {
        Tool::from_schema(
            format!("t{n:03}"),
            format!("{n} {}", "x".repeat(n)),
            json!({}),
            |_, _| async { Ok::<_, &str>("") },
        )
        .unwrap()
    });
    let lints = Toolbox::new(many).unwrap().lint(Dialect::JsonSchema);
    assert_eq!(
        lints[0].to_string(),
        "129 tools are more than the 128 some providers take; send fewer"
    );

    let long =
        Tool::from_schema("long", "y".repeat(1025), json!({}), |_, _| async { Ok::<_, &str>("") })
            .unwrap();
    let toolbox = Toolbox::new(tools![read, READ, write, anything]).unwrap().with([long]).unwrap();
    let said: Vec<String> = toolbox.lint(Dialect::Gemini).iter().map(ToString::to_string).collect();
    let expected = [
        "read: its name differs from that of `READ` in case alone; rename one",
        "READ: its description is nearly that of `read`; say when to call which",
        "anything: `value` may be anything, which Gemini's schema cannot say",
        "long: its description has 1025 characters, more than the 1024 some providers take; shorten it",
        "write: its parameters `path`, `text` have no description; say what each is for",
    ];
    assert_eq!(said, expected);
    assert!(Toolbox::new(tools![read]).unwrap().lint(Dialect::Gemini).is_empty());
}

#[test]
fn a_model_whose_dialect_cannot_say_a_tool_is_refused_when_the_agent_is_built() {
    struct Speaking(Dialect);

    impl Model for Speaking {
        fn name(&self) -> &str {
            "speaking"
        }

        fn dialect(&self) -> Dialect {
            self.0
        }

        fn reply<'a>(
            &'a self,
            _: agent_core::Request<'a>,
        ) -> agent_core::model::BoxFuture<'a, Result<Reply, agent_core::ModelError>> {
            Box::pin(async { Ok(Reply::text("")) })
        }
    }

    let built = |dialect| Agent::builder().model(Speaking(dialect)).tools(tools![anything]).build();
    assert!(built(Dialect::JsonSchema).is_ok() && built(Dialect::OpenAiStrict).is_ok());
    let error = built(Dialect::Gemini).unwrap_err().to_string();
    assert!(
        error.starts_with("the parameters of the tool `anything` at it/toolbox.rs:")
            || error.contains("toolbox.rs:"),
        "{error}"
    );
    assert!(
        error
            .ends_with("cannot be sent: `value` may be anything, which Gemini's schema cannot say"),
        "{error}"
    );
}
