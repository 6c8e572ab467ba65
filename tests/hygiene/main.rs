//! What `#[tool]` generates leans on nothing of the user's and is free of warnings.

#![forbid(unsafe_code, missing_docs, missing_debug_implementations, unreachable_pub)]
#![deny(warnings, unused, unused_qualifications, nonstandard_style, rust_2018_idioms)]
#![deny(clippy::all, clippy::pedantic)]

use agent_core::agent::Approval;
use agent_core::{Agent, ScriptedModel, Tool, ToolCall, ToolResult};
use serde_json::{Value, json};

pub mod attributes;
mod bare;
pub mod lints;
mod macros;
mod names;

/// What becomes of one call of a tool.
#[expect(clippy::expect_used, reason = "tests call it")]
async fn call(tool: Tool, arguments: Value) -> ToolResult {
    let name = tool.name().to_owned();
    let builder = Agent::builder().model(ScriptedModel::new([])).tools([tool]);
    let builder = builder.state(lints::Library::default()).approver(|_: &ToolCall| Approval::Allow);
    builder.build().expect("the agent is complete").call(&name, arguments).await
}

#[tokio::test]
async fn nothing_is_taken_from_the_prelude() {
    let length = call(Tool::of::<bare::length>(), json!({"text": "日本"})).await;
    assert_eq!(length.content, "2");
    let repeat = call(Tool::of::<bare::repeat>(), json!({"text": "a", "times": 3})).await;
    assert_eq!(repeat.content, "aaa");
}
