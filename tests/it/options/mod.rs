//! What each option of `#[tool]` and `#[arg]` does at run time. The tests are named by the options.

mod bounds;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent_core::{Agent, Reply, ScriptedModel, Tool, ToolResult, Toolbox, tool, tools};
use serde_json::{Value, json};

async fn call(tool: Tool, arguments: Value) -> ToolResult {
    let name = tool.name().to_owned();
    let agent = Agent::builder().model(ScriptedModel::new([])).tools([tool]).build().unwrap();
    agent.call(&name, arguments).await
}

/// What is wrong with each argument, as the model is told.
async fn problems(tool: Tool, arguments: Value) -> Vec<String> {
    let content = call(tool, arguments).await.content;
    let problems = content.strip_prefix("error(invalid_arguments): ");
    let (problems, _) =
        problems.unwrap_or_else(|| panic!("{content}")).split_once("; call").unwrap();
    problems.split("; ").map(str::to_owned).collect()
}

fn properties(tool: &Tool) -> Value {
    let schema: Value = serde_json::from_str(tool.parameters().get()).unwrap();
    schema["properties"].clone()
}

fn only<const N: usize>(tools: [Tool; N]) -> Tool {
    tools.into_iter().next().unwrap()
}

mod named {
    use agent_core::tool;

    #[tool("Read.", name = "read-file", handle = ReadFile)]
    pub(super) fn read() -> &'static str {
        "read"
    }

    #[tool("Kept back.", register = false)]
    pub(super) fn kept_back() {}
}

#[tokio::test]
async fn name_is_what_the_model_calls() {
    assert_eq!(call(only(tools![named::ReadFile]), json!({})).await.content, "read");
    assert!(Toolbox::registered().unwrap().get("read-file").is_some());
    assert!(Toolbox::registered().unwrap().get("read").is_none());
}

#[test]
fn handle_is_what_stands_for_the_tool_and_the_function_keeps_its_name() {
    assert_eq!(Tool::of::<named::ReadFile>().name(), "read-file");
    assert_eq!(named::read(), "read");
}

#[test]
fn register_keeps_a_tool_from_the_registry_and_not_from_a_list() {
    named::kept_back();
    assert!(Toolbox::registered().unwrap().get("kept_back").is_none());
    assert_eq!(only(tools![named::kept_back]).name(), "kept_back");
}

#[tool("Look.", read_only, register = false)]
fn look() {}

#[tool("Erase.", destructive, idempotent, register = false)]
fn erase() {}

#[tool("Fetch.", open_world, needs_approval, tags("web", "slow"), register = false)]
fn fetch() {}

/// The annotations that are true.
fn annotations(tool: Tool) -> Vec<String> {
    let Value::Object(all) = serde_json::to_value(tool.annotations()).unwrap() else {
        panic!("annotations are an object")
    };
    all.into_iter().filter(|(_, set)| *set == Value::Bool(true)).map(|(name, _)| name).collect()
}

#[test]
fn read_only_destructive_idempotent_and_open_world_are_annotations() {
    assert_eq!(annotations(Tool::of::<look>()), ["read_only"]);
    assert_eq!(annotations(Tool::of::<erase>()), ["destructive", "idempotent"]);
    assert_eq!(annotations(Tool::of::<fetch>()), ["needs_approval", "open_world"]);
}

#[tokio::test]
async fn needs_approval_denies_a_call_that_no_one_allows() {
    let denied = call(Tool::of::<fetch>(), json!({})).await;
    assert!(denied.content.starts_with("error(denied): "), "{}", denied.content);
    assert_eq!(call(Tool::of::<look>(), json!({})).await.content, "ok");
}

#[test]
fn tags_select_tools() {
    let toolbox = Toolbox::new(tools![look, erase, fetch]).unwrap();
    let tagged = toolbox.tagged("slow");
    assert_eq!(tagged.tools().iter().map(Tool::name).collect::<Vec<_>>(), ["fetch"]);
    assert_eq!(Tool::of::<fetch>().tags(), ["web", "slow"]);
}

#[tool("Wait.", timeout = "20ms", register = false)]
async fn wait() {
    tokio::time::sleep(Duration::from_secs(60)).await;
}

#[tokio::test]
async fn timeout_ends_a_call() {
    assert_eq!(Tool::of::<wait>().timeout(), Some(Duration::from_millis(20)));
    let answer = call(Tool::of::<wait>(), json!({})).await;
    assert!(answer.content.starts_with("error(timed_out): "), "{}", answer.content);
}

#[tool("Count.", max_output = 10, register = false)]
fn count() -> String {
    "é".repeat(99)
}

#[tokio::test]
async fn max_output_cuts_the_result_and_says_so() {
    let answer = call(Tool::of::<count>(), json!({})).await.content;
    assert!(answer.starts_with(&"é".repeat(10)) && !answer.contains(&"é".repeat(11)), "{answer}");
    assert!(answer.contains("99"), "{answer}");
}

#[tool("Here.", inline, register = false)]
fn here() -> String {
    format!("{:?}", std::thread::current().id())
}

#[tool("Elsewhere.", register = false)]
fn elsewhere() -> String {
    here()
}

#[tokio::test(flavor = "current_thread")]
async fn inline_runs_on_the_thread_of_the_agent() {
    let this = here();
    assert_eq!(call(Tool::of::<here>(), json!({})).await.content, this);
    assert_ne!(call(Tool::of::<elsewhere>(), json!({})).await.content, this);
}

mod kit {
    pub(super) mod deep {
        pub(in super::super) use agent_core as core;
    }
}

#[tool("Say where.", crate = kit::deep::core, register = false)]
fn by_another_path(#[arg(default = 1)] number: u8) -> u8 {
    number
}

#[tokio::test]
async fn crate_is_where_the_framework_is() {
    assert_eq!(call(Tool::of::<by_another_path>(), json!({})).await.content, "1");
}

fn doubled(number: u32) -> u32 {
    number * 2
}

#[tool("Take defaults.", register = false)]
fn defaults(
    #[arg(default = 7)] number: u8,
    #[arg(default = 0.1)] fraction: f32,
    #[arg(default = "en")] text: String,
    #[arg(default = ["a", "b"])] list: &[&str],
    #[arg(default = doubled(21))] called: u32,
) -> String {
    format!("{number} {fraction} {text} {list:?} {called}")
}

#[tokio::test]
async fn default_stands_in_for_an_argument_and_is_in_the_schema() {
    let tool = Tool::of::<defaults>();
    let nulls = json!({"number": null, "list": null});
    for arguments in [json!({}), nulls] {
        let answer = call(tool.clone(), arguments).await;
        assert_eq!(answer.content, r#"7 0.1 en ["a", "b"] 42"#);
    }
    let properties = properties(&tool);
    let shown =
        ["number", "fraction", "text", "list", "called"].map(|name| &properties[name]["default"]);
    assert_eq!(json!(shown), json!([7, 0.1, "en", ["a", "b"], 42]));
}

#[tool("Take a word.", register = false)]
fn renamed(#[arg(rename = "type")] kind: &str) -> String {
    kind.to_owned()
}

#[tokio::test]
async fn rename_is_the_name_the_model_knows() {
    let tool = Tool::of::<renamed>();
    assert_eq!(properties(&tool), json!({"type": {"type": "string"}}));
    assert_eq!(call(tool.clone(), json!({"type": "a"})).await.content, "a");
    let expected = ["`kind`: unknown parameter", "`type`: missing, expected text"];
    assert_eq!(problems(tool, json!({"kind": "a"})).await, expected);
}

#[tool("Log in.", register = false)]
fn log_in(
    user: &str,
    #[arg(secret, length = 8..)] password: &str,
    #[arg(secret)] pin: Option<u32>,
) -> String {
    format!("{user} {} {}", password.len(), pin.is_some())
}

#[tokio::test]
async fn secret_is_in_no_event_whether_the_call_is_right_or_wrong() {
    let passwords = ["correct horse", "horse", &"horse".repeat(20)];
    let replies = passwords.map(|password| {
        let arguments = json!({"user": "eve", "password": password, "pin": format!("{password}1")});
        Reply::call("log_in", arguments)
    });
    let right =
        Reply::call("log_in", json!({"user": "eve", "password": passwords[0], "pin": "93271"}));
    let told = Arc::new(Mutex::new(String::new()));
    let events = Arc::clone(&told);
    let agent = Agent::builder()
        .model(ScriptedModel::new(replies.into_iter().chain([right, Reply::text("done")])))
        .tools(tools![log_in])
        .on_event(move |event| {
            events.lock().unwrap().push_str(&serde_json::to_string(event).unwrap());
        })
        .build()
        .unwrap();
    let run = agent.run("Log in.").await.unwrap();
    assert!(tests::results(run.transcript()).contains(&"eve 13 true"));
    let told = told.lock().unwrap();
    assert!(told.contains("eve") && told.contains("***"), "{told}");
    assert!(!told.contains("horse") && !told.contains("93271"), "{told}");
}

#[test]
fn every_option_has_a_test() {
    let source = concat!(include_str!("mod.rs"), include_str!("bounds.rs"));
    let documentation = include_str!("../../../agent-macros/src/tool.md");
    let rows = documentation.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows = rows.filter(|row| row.contains("| `#[tool]` |") || row.contains("| `#[arg]` |"));
    let options = rows.filter_map(|row| row.split(['`', ' ', '(']).next());
    for option in options.filter(|option| !option.starts_with('"')) {
        let begins = |line: &str| line.contains("fn ") && line.contains(&format!("{option}_"));
        assert!(source.lines().any(begins), "{option} has no test");
    }
}
