//! The tools of the weather example, called as a model would call them.

#![expect(clippy::unwrap_used, reason = "the helpers of tests may fail like the tests themselves")]

use agent_core::{Agent, ErrorKind, ScriptedModel, ToolResult};
use proptest::prelude::*;
use serde_json::json;

#[path = "../src/bin/weather.rs"]
#[expect(dead_code, reason = "its tools are called, its `main` is not")]
mod weather;

fn call(tool: &str, argument: &str, text: &str) -> ToolResult {
    let agent = Agent::builder().model(ScriptedModel::new([])).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(agent.call(tool, json!({ argument: text })))
}

fn calc(expression: &str) -> ToolResult {
    call("calc", "expression", expression)
}

#[test]
fn an_unknown_city_is_a_message_that_names_the_known_ones() {
    assert_eq!(call("get_weather", "city", "上海").content, "22℃");
    let unknown = call("get_weather", "city", "巴黎");
    assert!(!unknown.is_error);
    assert_eq!(unknown.content, "there is no weather for 巴黎; ask for 北京, 上海 or 广州");
}

#[test]
fn an_expression_is_worked_out() {
    for (expression, value) in [("18 * 9 / 5 + 32", "64.4"), ("(1 + 2) * 3 / 4", "2.25")] {
        assert_eq!(calc(expression).content, value);
    }
}

#[test]
fn what_has_no_value_is_an_error_that_says_why() {
    for expression in ["1/0", "0/0", "1 +", "", "two", "(1", "1,000", "日本", "import os"] {
        let result = calc(expression);
        assert!(result.is_error, "{result:?}");
        assert_eq!(ErrorKind::of(&result.content), Some(ErrorKind::Failed), "{result:?}");
        assert!(result.content.contains(expression), "{result:?}");
    }
}

#[test]
fn nesting_without_end_is_an_error() {
    for piece in ["(", "-", "sin(", "1+(", "((1)+"] {
        assert!(calc(&piece.repeat(100_000)).is_error);
        assert_ne!(ErrorKind::of(&calc(&piece.repeat(100)).content), Some(ErrorKind::Panicked));
    }
}

/// Text that is nearly an expression.
fn nearly() -> impl Strategy<Value = String> {
    let pieces = [
        "(", ")", "+", "-", "*", "/", "^", "%", ",", ".", " ", "0", "1", "2.5", "1e9", "x", "PI",
        "sin", "sqrt", "max(", "{", "}", "_", "é", "日", "😀", "\0", "\n", "٣",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_gives_a_finite_number_or_an_error(text in prop_oneof![nearly(), any::<String>()]) {
        let ToolResult { content, is_error, .. } = calc(&text);
        if is_error {
            prop_assert_eq!(ErrorKind::of(&content), Some(ErrorKind::Failed));
        } else {
            prop_assert!(content.parse::<f64>().unwrap().is_finite(), "{content}");
        }
    }
}
