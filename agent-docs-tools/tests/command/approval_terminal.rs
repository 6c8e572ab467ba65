//! Asking the person at the terminal.

use serde_json::Value;

use crate::desk::{Desk, calls, says};
use crate::typist::{CTRL_C, CTRL_D, Typist};

const ASK: [&str; 8] = [
    "ask",
    "--script",
    "script.json",
    "--ask-before",
    "count_lines",
    "--transcript",
    "run.json",
    "How?",
];
const QUESTION: &str = "[e]dit: ";

fn counting(paths: &[&str]) -> Desk {
    let desk = Desk::new();
    let count = |path: &&str| calls("count_lines", &format!(r#"{{"path":"{path}"}}"#));
    desk.script(paths.iter().map(count).chain([says("Done.")]));
    desk
}

/// The results that the model was given.
fn results(desk: &Desk) -> Vec<String> {
    let Value::Array(messages) = desk.read_json("run.json") else { return Vec::new() };
    let results = messages.iter().filter(|message| message["role"] == "tool");
    results.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn yes_runs_the_call_and_the_next_is_asked_about_again() {
    let desk = counting(&["lamp.md", "guide/cleaning.md"]);
    let mut typist = Typist::start(&desk, &ASK);
    typist.sees("path: \"lamp.md\"").sees(QUESTION).types("what?\r").sees("answer y, n, a or e");
    typist.sees(QUESTION).types("y\r");
    typist.sees("path: \"guide/cleaning.md\"").sees(QUESTION).types("YES\r").sees("Done.");
    assert_eq!(typist.ends().0, Some(0));
    assert_eq!(results(&desk), ["8", "3"]);
}

#[test]
fn always_is_for_the_rest_of_the_run() {
    let desk = counting(&["lamp.md", "guide/cleaning.md"]);
    let mut typist = Typist::start(&desk, &ASK);
    typist.sees(QUESTION).types("a\r").sees("Done.");
    let (status, written) = typist.ends();
    assert_eq!((status, written.matches("waits for approval").count()), (Some(0), 1));
    assert_eq!(results(&desk), ["8", "3"]);
}

#[test]
fn the_model_reads_why_not() {
    let desk = counting(&["lamp.md", "guide/cleaning.md"]);
    let mut typist = Typist::start(&desk, &ASK);
    typist.sees(QUESTION).types("n\r").sees("why not").types("not that one\r");
    typist.sees(QUESTION).types("n\r").sees("why not").types("\r").sees("Done.");
    assert_eq!(typist.ends().0, Some(0));
    let [first, second] = &results(&desk)[..] else { panic!("two results") };
    assert!(first.starts_with("error(denied): the call was not allowed: not that one"), "{first}");
    assert!(
        second.starts_with("error(denied): the call was not allowed: the user said no"),
        "{second}"
    );
}

#[test]
fn the_arguments_can_be_edited_before_the_call_is_run() {
    let desk = counting(&["lamp.md"]);
    let mut typist = Typist::start(&desk, &ASK);
    typist.sees(QUESTION).types("e\r").sees("arguments: ").sees("lamp.md\"}").types("x\r");
    typist
        .sees("not a JSON object: ")
        .sees("arguments: ")
        .types("\u{15}{\"path\": \"guide/cleaning.md\"}\r");
    typist.sees("Done.");
    assert_eq!(typist.ends().0, Some(0));
    let results = results(&desk);
    assert!(results[0].ends_with('3') || results[0].starts_with('3'), "{results:?}");
}

#[test]
fn ctrl_c_or_ctrl_d_at_the_question_cancels_the_run() {
    for key in [CTRL_C, CTRL_D] {
        let desk = counting(&["lamp.md"]);
        let mut typist = Typist::start(&desk, &ASK);
        typist.sees(QUESTION).types(key).sees("interrupted: the run is cancelled");
        typist.sees("stopped without an answer: cancelled");
        assert_eq!(typist.ends().0, Some(130));
        assert!(results(&desk)[0].starts_with("error(cancelled)"));
    }
}

#[test]
fn a_conversation_outlives_a_question_that_was_cancelled() {
    let desk = counting(&["lamp.md"]);
    let mut typist =
        Typist::start(&desk, &["chat", "--script", "script.json", "--ask-before", "all"]);
    typist.sees("docs> ").types("How?\r").sees(QUESTION).types(CTRL_C).sees("cancelled");
    typist.sees("docs> ").types("And now?\r").sees("Done.").sees("docs> ").types(CTRL_D);
    assert_eq!(typist.ends().0, Some(0));
}
