//! What `#[tool]` generates leans on nothing of the user's and is free of warnings.

#![forbid(unsafe_code, missing_docs, missing_debug_implementations, unreachable_pub)]
#![deny(warnings, unused, unused_qualifications, nonstandard_style, rust_2018_idioms)]
#![deny(clippy::all, clippy::pedantic)]

use std::fs;
use std::path::Path;

use agent_core::agent::{Approval, ApprovalRequest};
use agent_core::{Agent, ScriptedModel, Tool, ToolResult};
use serde_json::{Value, json};

pub mod attributes;
mod bare;
mod borrowed;
pub mod lints;
mod macros;
mod names;

/// What becomes of one call of a tool.
#[expect(clippy::expect_used, reason = "tests call it")]
async fn call(tool: Tool, arguments: Value) -> ToolResult {
    let name = tool.name().to_owned();
    let builder = Agent::builder().model(ScriptedModel::new([])).tools([tool]);
    let builder = builder
        .state(lints::Library::default())
        .approver(|_: &ApprovalRequest<'_>| Approval::Allow);
    builder.build().expect("the agent is complete").call(&name, arguments).await
}

#[tokio::test]
async fn nothing_is_taken_from_the_prelude() {
    let length = call(Tool::of::<bare::length>(), json!({"text": "日本"})).await;
    assert_eq!(length.content, "2");
    let repeat = call(Tool::of::<bare::repeat>(), json!({"text": "a", "times": 3})).await;
    assert_eq!(repeat.content, "aaa");
}

#[test]
fn every_case_in_the_table_has_its_test() {
    let tests = include_str!("README.md").lines().filter_map(|row| row.split_once(" | "));
    for (case, tests) in tests {
        let mut source = String::new();
        for quoted in tests.split('`').skip(1).step_by(2) {
            if quoted.contains('.') {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(quoted);
                source = fs::read_to_string(path).unwrap();
            } else {
                assert!(source.contains(&format!("fn {quoted}(")), "{case}: no test {quoted}");
            }
        }
    }
}
