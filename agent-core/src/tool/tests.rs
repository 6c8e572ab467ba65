use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::Barrier;

use super::{Annotations, DynamicTool, Location, Tool};
use crate::schema::{ParameterSchema, Property, Root};
use crate::{Agent, Reply, ScriptedModel, Toolbox, tool};

#[tool("Fetch a page.", tags("web"), timeout = "5s", max_output = 9, register = false)]
fn fetch() {}

fn word() -> ParameterSchema {
    let property =
        Property { name: "word".into(), schema: json!({"type": "string"}), required: true };
    ParameterSchema::of(Root {
        properties: vec![property],
        definitions: Default::default(),
        closed: true,
    })
}

/// Waits until two calls of it are under way.
#[track_caller]
fn meet() -> Tool {
    let barrier = Arc::new(Barrier::new(2));
    Tool::dynamic(
        "meet".into(),
        DynamicTool {
            description: "Meet another.".into(),
            location: Location::caller(),
            schema: Arc::new(word()),
            check: Box::new(|_, _| Vec::new()),
            call: Box::new(move |arguments, _| {
                let barrier = Arc::clone(&barrier);
                Box::pin(async move {
                    barrier.wait().await;
                    Ok(arguments["word"].to_string())
                })
            }),
        },
    )
}

#[test]
fn what_an_author_said_holds_until_it_is_said_otherwise() {
    let tool = Tool::of::<fetch>();
    assert_eq!((tool.annotations(), tool.tags()), (Annotations::new(), &["web"][..]));
    assert_eq!((tool.timeout(), tool.max_output()), (Some(Duration::from_secs(5)), Some(9)));
    let tool = tool
        .with_annotations(Annotations::new().read_only())
        .with_tags(["docs", "slow"])
        .with_timeout(Duration::from_secs(1))
        .with_max_output(20);
    assert!(tool.annotations().read_only);
    assert_eq!(tool.tags(), ["docs", "slow"]);
    assert_eq!((tool.timeout(), tool.max_output()), (Some(Duration::from_secs(1)), Some(20)));
    let tagged = Toolbox::new([tool, meet()]).unwrap().tagged("slow");
    assert_eq!(tagged.tools().len(), 1);
}

#[tokio::test]
async fn calls_of_dynamic_tools_marked_read_only_run_side_by_side() {
    let model = ScriptedModel::new([
        Reply::call("meet", json!({"word": "a"})).and_call("meet", json!({"word": "b"})),
        Reply::text("Met."),
    ]);
    let tool = meet().with_annotations(Annotations::new().read_only());
    let agent = Agent::builder().model(model).tools([tool]).build().unwrap();
    let run = agent.run("Who is there?").await.unwrap();
    assert_eq!((run.answer(), run.counts().tool_calls), (Ok("Met.".into()), 2));
}

#[tokio::test]
async fn a_dynamic_tool_is_not_called_with_what_does_not_fit() {
    let agent = Agent::builder().model(ScriptedModel::new([])).tools([meet()]).build().unwrap();
    let refused = agent.call("meet", json!({"word": [], "wrod": "a"})).await.content;
    assert_eq!(
        refused,
        "error(invalid_arguments): `wrod`: unknown parameter, did you mean `word`?; \
         `word`: expected text, got []; call again with these corrected (parameters: word)"
    );
}

#[cfg(feature = "runtime-tools")]
#[tokio::test]
async fn a_problem_that_both_fitting_and_the_schema_find_is_told_once() {
    let schema = json!({
        "type": "object",
        "properties": {"word": {"type": "string"}, "times": {"type": "integer", "multipleOf": 2}},
        "required": ["word"],
    });
    let tool = Tool::from_schema("say", "Say.", schema, |_, _| async { Ok::<_, &str>("") });
    let tools = [tool.unwrap()];
    let agent = Agent::builder().model(ScriptedModel::new([])).tools(tools).build().unwrap();
    let refused = agent.call("say", json!({"word": [], "times": 3})).await.content;
    assert_eq!(
        refused,
        "error(invalid_arguments): `word`: expected text, got []; `times`: 3 is not a multiple of 2; \
         call again with these corrected (parameters: times, word)"
    );
}

#[tokio::test]
async fn a_dynamic_tool_is_given_up_after_its_own_time() {
    let tool = meet().with_timeout(Duration::from_millis(1));
    let agent = Agent::builder().model(ScriptedModel::new([])).tools([tool]).build().unwrap();
    let result = agent.call("meet", json!({"word": "a"})).await;
    assert!(result.content.starts_with("error(timed_out): meet did not finish within 1ms"));
}
