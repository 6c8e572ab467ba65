//! Runs that stop without an answer.

use serde_json::{Value, json};

use crate::desk::{Desk, Done, calls, says};

fn ask(replies: impl IntoIterator<Item = Value>, options: &[&str]) -> Done {
    let desk = Desk::new();
    desk.script(replies);
    let arguments = [&["ask", "--script", "script.json"], options, &["What?"]].concat();
    desk.run(&arguments)
}

fn grep(number: usize) -> Value {
    calls("grep_docs", &json!({"keyword": format!("word {number}")}).to_string())
}

#[test]
fn the_reason_and_what_may_help_are_said_on_standard_error() {
    let done = ask((0..4).map(grep), &["--max-steps", "2"]);
    let stderr = done.failed(3);
    assert_eq!(
        stderr.lines().last(),
        Some(
            "stopped without an answer: max_steps (2 steps, 2 tool calls); \
             raise --max-steps or ask a narrower question"
        )
    );
}

#[test]
fn json_has_no_answer_then() {
    let done = ask((0..4).map(grep), &["--max-steps", "1", "--json"]);
    assert_eq!(done.status, Some(3));
    assert_eq!(
        done.json(),
        json!({"answer": null, "stop": "max_steps", "steps": 1, "tool_calls": 1,
               "usage": {"prompt_tokens": 0, "completion_tokens": 0, "cached_tokens": 0}})
    );
    assert!(done.stderr.contains("(1 step, 1 tool call)"), "{}", done.stderr);
}

#[test]
fn eight_steps_are_taken_unless_told_otherwise() {
    assert!(ask((0..9).map(grep), &[]).failed(3).contains("max_steps (8 steps, 8 tool calls)"));
    let nine = ask((0..8).map(grep).chain([says("Done.")]), &["--max-steps", "9"]);
    assert_eq!((nine.status, nine.stdout.as_str()), (Some(0), "Done.\n"));
}

#[test]
fn an_empty_reply_is_no_answer() {
    let stderr = ask([says("  ")], &[]).failed(3);
    assert!(stderr.contains("empty (1 step, 0 tool calls); the last reply was empty"), "{stderr}");
}

#[test]
fn a_call_that_is_made_over_and_over_stops_the_run() {
    let stderr = ask((0..8).map(|_| grep(1)), &[]).failed(3);
    assert!(stderr.contains("repeated_calls (4 steps, 4 tool calls)"), "{stderr}");
    assert!(stderr.contains("-> error(repeated): "), "{stderr}");
}
