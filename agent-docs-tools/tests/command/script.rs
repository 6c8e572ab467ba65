//! `ask --script`.

use serde_json::json;

use crate::desk::{Desk, calls, says};

const READ_LAMP: &str = r#"{"path":"lamp.md","start":7,"end":7}"#;

#[test]
fn each_step_is_printed_and_the_last_reply_is_the_answer() {
    let desk = Desk::new();
    desk.script([
        calls("grep_docs", r#"{"keyword":"cloth"}"#),
        calls("read_doc", READ_LAMP),
        says("To the left (lamp.md:7)."),
    ]);
    let done = desk.run(&["ask", "--script", "script.json", "Which way?"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "To the left (lamp.md:7).\n"));
    insta::assert_snapshot!(without_times(&done.stderr), @r#"
    model: script (script.json)
    [step 1] grep_docs({"keyword":"cloth"}) -> guide/cleaning.md:3: Wipe the lamp with a dry cloth. (TIME)
    [step 2] read_doc({"end":7,"path":"lamp.md","start":7}) -> 7: Turn the bulb to the left until it comes off. lines 7-7 of 8; go on with start=8 (TIME)
    [step 3] answer (TIME)
    "#);
}

#[test]
fn what_the_model_does_wrong_is_told_to_it_and_the_run_goes_on() {
    let desk = Desk::new();
    desk.script([
        calls("search_web", "{}"),
        calls("read_doc", r#"{"path":"lamp.md","start":"abc"}"#),
        calls("read_doc", r#"{"path":"#),
        calls("read_doc", r#"{"path":"lamps.md"}"#),
        says("Enough."),
    ]);
    let done = desk.run(&["ask", "--script", "script.json", "What?"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "Enough.\n"));
    insta::assert_snapshot!(without_times(&done.stderr), @r#"
    model: script (script.json)
    [step 1] search_web({}) -> error(unknown_tool): there is no tool `search_web`; call one of: read_doc, count_lines, grep_docs, … (TIME)
    [step 2] read_doc({"path":"lamp.md","start":"abc"}) -> error(invalid_arguments): `start`: expected an integer from 1 to 4294967295, got "abc"; call again … (TIME)
    [step 3] read_doc({"path":) -> error(invalid_json): the arguments are not valid JSON: EOF while parsing a value at line 1 column … (TIME)
    [step 4] read_doc({"path":"lamps.md"}) -> error(failed): not found: `lamps.md`; did you mean `lamp.md`? call again with that path, or call … (TIME)
    [step 5] answer (TIME)
    "#);
}

#[test]
fn text_beside_a_call_is_printed_too() {
    let desk = Desk::new();
    let mut reply = calls("count_lines", r#"{"path":"lamp.md"}"#);
    reply["content"] = json!("Let me count.");
    desk.script([reply, says("8")]);
    let done = desk.run(&["ask", "--script", "script.json", "How many?"]);
    insta::assert_snapshot!(without_times(&done.stderr), @r#"
    model: script (script.json)
    [step 1] text: Let me count. (TIME)
    [step 1] count_lines({"path":"lamp.md"}) -> 8 (TIME)
    [step 2] answer (TIME)
    "#);
}

#[test]
fn a_script_that_is_too_short_is_an_error() {
    let desk = Desk::new();
    desk.script([calls("list_docs", "")]);
    let done = desk.run(&["ask", "--json", "--script", "script.json", "What?"]);
    assert_eq!(done.status, Some(1));
    assert_eq!(done.json()["stop"], "error");
    assert_eq!(done.json()["answer"], json!(null));
    insta::assert_snapshot!(done.stderr.lines().last().unwrap(), @"error: the model did not answer: the script has no reply left for request 2; give it one more");
}

#[test]
fn a_script_that_cannot_be_used_is_an_error_that_names_it() {
    let desk = Desk::new();
    desk.write("object.json", "{}");
    desk.write("user.json", r#"[{"role":"user","content":"Hello"}]"#);
    desk.write("bytes.json", b"\xff\xfe");
    let mut errors = String::new();
    for script in ["missing.json", "object.json", "user.json", "bytes.json", "docs"] {
        errors += &desk.run(&["ask", "--script", script, "What?"]).failed(1);
    }
    insta::assert_snapshot!(errors, @r"
    error: cannot read the script missing.json: No such file or directory (os error 2)
    error: cannot use the script object.json: not a JSON list of assistant messages: invalid type: map, expected a sequence at line 1 column 0
    error: cannot use the script user.json: message 1 has the role `user`; a script holds assistant messages alone
    error: cannot read the script bytes.json: stream did not contain valid UTF-8
    error: cannot read the script docs: Is a directory (os error 21)
    ");
}

/// Times differ from run to run.
fn without_times(stderr: &str) -> String {
    let line = |line: &str| match line.rsplit_once(" (") {
        Some((kept, time)) if time.ends_with(" ms)") => format!("{kept} (TIME)"),
        _ => line.to_owned(),
    };
    stderr.lines().map(line).collect::<Vec<_>>().join("\n")
}
