//! Each example prints what the transcript beside it shows.

#![expect(clippy::expect_used, reason = "the helpers of tests may fail like the tests themselves")]

use std::process::Command;

use snapbox::{Data, assert_data_eq, file};

/// What a reader sees who runs the example.
fn transcript(name: &str, program: &str) -> String {
    // No model may be named in the environment.
    let output = Command::new(program).env_clear().output().expect("the example starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("the example prints UTF-8");
    format!("```console\n$ cargo run --quiet --package examples --bin {name}\n{printed}```\n")
}

fn check(name: &str, program: &str, expected: Data) {
    assert_data_eq!(transcript(name, program), expected.raw());
}

#[test]
fn math_agent() {
    let expected = file!["../src/bin/math_agent.md"];
    check("math_agent", env!("CARGO_BIN_EXE_math_agent"), expected);
}

#[test]
fn weather() {
    check("weather", env!("CARGO_BIN_EXE_weather"), file!["../src/bin/weather.md"]);
}

#[test]
fn http_tool() {
    check("http_tool", env!("CARGO_BIN_EXE_http_tool"), file!["../src/bin/http_tool.md"]);
}

#[test]
fn docs_qa() {
    check("docs_qa", env!("CARGO_BIN_EXE_docs_qa"), file!["../src/bin/docs_qa.md"]);
}
