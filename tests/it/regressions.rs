//! Faults that were found once, each as the kind it is.

mod runs;

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use agent_core::model::FinishReason;
use agent_core::{
    Agent, Dialect, Event, Reply, ScriptedModel, StopReason, Tool, ToolResult, tool, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tests::{check_transcript, results};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Nest(Vec<Nest>);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Doubling {
    A(Vec<Doubling>),
    B(Vec<Doubling>),
    N(u32),
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Circle {
    r: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Group {
    of: Vec<Shape>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Shape {
    Circle(Circle),
    Group(Group),
    Point,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Anything(Value);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Größe~/1")]
struct Size {
    n: u32,
    inner: Vec<Size>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ANode {
    n: u8,
    #[serde(default)]
    kids: Vec<Alias>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Alias(Box<ANode>);

#[derive(Serialize, Deserialize, JsonSchema)]
struct Flat {
    id: u32,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum Kind {
    A { a: u8 },
    B,
}

macro_rules! echo {
    ($($name:ident: $type:ty),* $(,)?) => {
        $(#[tool("Give it back.", inline, register = false)]
        fn $name(v: $type) -> Value {
            json!(v)
        })*

        fn echoes() -> Vec<Tool> {
            tools![$($name),*].to_vec()
        }
    };
}

echo! {
    nest: Nest, doubling: Doubling, shape: Shape, any: Anything, size: Size, anode: ANode, flat: Flat, single: f32,
    integer: u64,
}

async fn call(name: &str, arguments: Value) -> ToolResult {
    let agent = Agent::builder().model(ScriptedModel::new([])).tools(echoes()).build().unwrap();
    agent.call(name, arguments).await
}

#[tokio::test]
async fn text_in_text_in_text_is_refused_and_never_overflows_the_stack() {
    let mut value = json!([]);
    for _ in 0..8 {
        for _ in 0..110 {
            value = json!([value]);
        }
        value = value.to_string().into();
    }
    let result = call("nest", json!({"v": value})).await;
    assert!(result.content.starts_with("error(invalid_arguments): "), "{}", result.content);
    assert_eq!(call("nest", json!({"v": "[[],[]]"})).await.content, "[[],[]]");
}

#[tokio::test]
async fn a_value_that_fits_a_union_in_exponentially_many_ways_is_read_in_time() {
    let mut value = json!("x".repeat(20_000));
    for _ in 0..14 {
        value = json!([value]);
    }
    let started = Instant::now();
    let result = call("doubling", json!({"v": value})).await;
    assert!(result.is_error && started.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn what_the_schema_allows_is_accepted_for_tagged_newtypes_names_aliases_and_flattened_enums()
{
    let values = [
        ("shape", json!({"type": "circle", "r": 1})),
        ("shape", json!({"type": "group", "of": [{"type": "point"}, {"type": "group", "of": []}]})),
        ("any", json!([1, {"a": null}])),
        ("size", json!({"n": 1, "inner": [{"n": 2, "inner": []}]})),
        ("anode", json!({"n": 1, "kids": [{"n": 2, "kids": []}]})),
        ("flat", json!({"id": 1, "t": "A", "a": 2})),
        ("flat", json!({"id": 1, "t": "B"})),
    ];
    for (name, value) in values {
        let arguments = json!({ "v": value });
        let tool = echoes().into_iter().find(|tool| tool.name() == name).unwrap();
        for dialect in [Dialect::JsonSchema, Dialect::OpenAiStrict] {
            let rendered = tool.parameters_for(dialect).unwrap();
            let schema: Value = serde_json::from_str(rendered.parameters.get()).unwrap();
            let validator = jsonschema::validator_for(&schema).unwrap();
            assert!(validator.is_valid(&arguments), "{arguments} for {schema}");
        }
        let result = call(name, arguments.clone()).await;
        assert_eq!(result.content, value.to_string(), "{arguments}");
    }
    let result =
        call("size", json!({"v": {"n": "5", "inner": [{"n": 1, "inner": [], "zz": 1}]}})).await;
    assert!(result.content.contains("`v.inner[0].zz`: unknown field"), "{}", result.content);
}

#[tokio::test]
async fn a_number_that_its_type_cannot_hold_is_refused_not_changed() {
    for (name, number) in [
        ("single", json!(1e300)),
        ("single", json!(-1e39)),
        ("integer", json!(9_007_199_254_740_992.0)),
    ] {
        let result = call(name, json!({"v": number})).await;
        assert!(
            result.content.starts_with("error(invalid_arguments): `v`: expected"),
            "{number}: {}",
            result.content
        );
    }
}

static LATE: AtomicU32 = AtomicU32::new(0);

#[tool("Block.", timeout = "200ms", register = false)]
fn block(context: u32) {
    if context == 1 {
        std::thread::sleep(Duration::from_millis(600));
    } else {
        LATE.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_name_of_any_length_gives_a_result_within_the_limit() {
    let long = "x".repeat(1_000_000);
    for result in [call(&long, json!({})).await, call("integer", json!({ long.as_str(): 1 })).await]
    {
        assert!(result.is_error && result.content.chars().count() < 3100);
    }
    let agent =
        Agent::builder().model(ScriptedModel::new([])).tools(tools![block]).build().unwrap();
    assert!(
        agent.call("block", json!({"context": 1})).await.content.starts_with("error(timed_out)")
    );
    assert_eq!(LATE.load(Ordering::SeqCst), 0);
}

struct Unspeakable;

impl std::fmt::Display for Unspeakable {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("no words")
    }
}

/// Panics when it is dropped, as a payload of a panic may.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "boom");
    }
}

#[tool("Fail without words.", register = false)]
async fn unspeakable() -> Result<(), Unspeakable> {
    Err(Unspeakable)
}

#[tool("Fail without words, in place.", inline, register = false)]
fn unspeakable_inline() -> Result<(), Unspeakable> {
    Err(Unspeakable)
}

#[tool("Panic with a payload that panics.", register = false)]
fn bomb() {
    std::panic::panic_any(Bomb)
}

#[tool("Fine.", read_only, register = false)]
fn fine() -> &'static str {
    "fine"
}

#[tokio::test]
async fn no_value_error_payload_approver_or_listener_that_panics_costs_more_than_its_call() {
    #[tool("Ask.", needs_approval, register = false)]
    fn ask() {}

    let step = Reply::call("unspeakable", json!({}))
        .and_call("unspeakable_inline", json!({}))
        .and_call("bomb", json!({}))
        .and_call("ask", json!({}))
        .and_call("fine", json!({}));
    let run = Agent::builder()
        .model(ScriptedModel::new([step, Reply::text("done")]))
        .tools(tools![unspeakable, unspeakable_inline, bomb, ask, fine])
        .approver(|_: &agent_core::agent::ApprovalRequest<'_>| panic!("undecided"))
        .on_event(|event: &Event| {
            assert!(!matches!(event, Event::Replied { .. } | Event::Stopped { .. }), "unheard")
        })
        .build()
        .unwrap()
        .run("go")
        .await
        .unwrap();
    check_transcript(run.transcript()).unwrap();
    let kinds: Vec<&str> =
        results(run.transcript()).iter().map(|text| text.split(':').next().unwrap()).collect();
    assert_eq!(
        kinds,
        ["error(panicked)", "error(panicked)", "error(panicked)", "error(denied)", "fine"]
    );
    assert_eq!(run.stop(), Some(StopReason::Answered));
}

#[tokio::test]
async fn a_call_of_a_reply_that_did_not_end_as_it_should_is_not_run() {
    static RAN: AtomicU32 = AtomicU32::new(0);
    #[tool("Count.", inline, register = false)]
    fn count() {
        RAN.fetch_add(1, Ordering::SeqCst);
    }
    for finish in [
        FinishReason::Refusal,
        FinishReason::Pause,
        FinishReason::Length,
        FinishReason::ContentFilter,
    ] {
        let replies = [Reply::call("count", json!({})).with_finish(finish), Reply::text("done")];
        let agent = Agent::builder()
            .model(ScriptedModel::new(replies))
            .tools(tools![count])
            .build()
            .unwrap();
        check_transcript(agent.run("go").await.unwrap().transcript()).unwrap();
    }
    assert_eq!(RAN.load(Ordering::SeqCst), 0);
}

#[test]
fn a_schema_whose_root_says_more_than_properties_is_refused() {
    let made = |schema| Tool::from_schema("t", "Test.", schema, |_, _| async { Ok::<_, &str>("") });
    for schema in [
        json!({"properties": {}, "additionalProperties": {"type": "integer"}}),
        json!({"properties": {}, "required": ["w"]}),
        json!({"properties": {}, "minProperties": 1}),
    ] {
        assert!(made(schema.clone()).is_err(), "{schema}");
    }
    let open = made(json!({"properties": {"a": {"type": "string"}}})).unwrap();
    assert!(!open.parameters_for(Dialect::OpenAiStrict).unwrap().strict);
}

#[test]
fn a_schema_that_refers_to_itself_alone_is_refused() {
    let schema = json!({
        "properties": {"v": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}},
    });
    let made = Tool::from_schema("t", "Test.", schema, |_, _| async { Ok::<_, &str>("") });
    let error = made.unwrap_err().to_string();
    assert!(error.contains("its definition `A` refers to itself without end"), "{error}");
}
