//! `chat` with its lines from a pipe.

use agent_core::Reply;
use serde_json::{Value, json};
use tests::server::{Answer, Server};

use crate::desk::{Desk, calls, says};

const CHAT: [&str; 3] = ["chat", "--script", "script.json"];

fn contents(transcript: &Value) -> Vec<&str> {
    let messages = transcript.as_array().unwrap().iter().skip(1);
    messages.map(|message| message["content"].as_str().unwrap_or("(calls)")).collect()
}

#[test]
fn each_line_is_a_question_in_one_conversation() {
    let desk = Desk::new();
    let count = calls("count_lines", r#"{"path":"lamp.md"}"#);
    desk.script([count, says("8 lines."), says("And 3.")]);
    let typed = "How long is it?\n\n  \nAnd cleaning.md?";
    let done = desk.run_piped(&[&CHAT[..], &["--transcript", "talk.json"]].concat(), typed);
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "8 lines.\nAnd 3.\n"), "{done:?}");
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines[0], "model: script (script.json)");
    assert!(
        lines[1].starts_with(r#"[step 1] count_lines({"path":"lamp.md"}) -> 8 ("#),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 4, "nothing but the steps: {lines:?}");
    let talk = desk.read_json("talk.json");
    let expected = ["How long is it?", "(calls)", "8", "8 lines.", "And cleaning.md?", "And 3."];
    assert_eq!(contents(&talk), expected);
    assert!(!desk.path("home").exists(), "what a pipe brings is not kept");
}

#[test]
fn a_model_that_fails_costs_nothing_of_the_conversation() {
    let desk = Desk::new();
    let fault = Answer::error(400, "invalid_request_error", "not now");
    let reply = |text: &str| Answer::reply(Reply::text(text));
    let server = Server::list([reply("One."), fault, reply("Three.")]);
    let url = server.url();
    let arguments = ["chat", "--base-url", &url, "--transcript", "talk.json"];
    let done = desk.run_piped(&arguments, "First?\nSecond?\nThird?\n");
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "One.\nThree.\n"), "{done:?}");
    assert!(done.stderr.contains("\nerror: the model did not answer: "), "{done:?}");
    let log = server.log();
    assert_eq!(log.refused, Vec::<String>::new());
    let last = log.received.last().unwrap().json();
    let asked: Vec<_> = last["messages"].as_array().unwrap().iter().skip(1).collect();
    assert_eq!(
        asked[..2],
        [
            &json!({"role": "user", "content": "First?"}),
            &json!({"role": "assistant", "content": "One."})
        ]
    );
    assert!(asked.iter().any(|message| message["content"].as_str().unwrap().contains("Second?")));
}

#[test]
fn the_status_is_that_of_the_last_question() {
    let desk = Desk::new();
    desk.script([says("Yes.")]);
    let done = desk.run_piped(&CHAT, "Is it?\nAnd now?\n/usage\n");
    assert_eq!((done.status, done.stdout.lines().next()), (Some(1), Some("Yes.")), "{done:?}");
    desk.script([says(" "), says("Yes.")]);
    assert_eq!(desk.run_piped(&CHAT, "Is it?\n").status, Some(3));
    assert_eq!(desk.run_piped(&CHAT, "Is it?\nIs it?\n").status, Some(0));
    assert_eq!(desk.run_piped(&CHAT, "").status, Some(0));
}

#[test]
fn a_command_tells_of_the_conversation_and_asks_no_model() {
    let desk = Desk::new();
    let count = calls("count_lines", r#"{"path":"lamp.md"}"#);
    desk.script([count, says("8 lines.")]);
    assert_eq!(desk.run_piped(&CHAT, "/tools\n").stdout, desk.run(&["tools"]).stdout);
    insta::assert_snapshot!(desk.run_piped(&CHAT, "/help\n").stdout);
    let usage = desk.run_piped(&CHAT, "How long is it?\n/usage\n").stdout;
    let times = |part: &str| part.split_once(')').map_or(part, |(_, rest)| rest).to_owned();
    let usage = usage.split(" (").map(times).collect::<Vec<_>>().join(" (TIME)");
    insta::assert_snapshot!(usage, @r"
    8 lines.
    2 steps (TIME), 1 tool call (TIME)
    no tokens
    ");
    let left = desk.run_piped(&CHAT, "/quit\nHow long is it?\n");
    assert_eq!((left.status, left.stdout.as_str()), (Some(0), ""));
}

#[test]
fn a_saved_conversation_can_be_continued() {
    let desk = Desk::new();
    desk.script([says("One."), says("Two.")]);
    let typed = "/save\nFirst?\n/save a talk.json\nSecond?\n/save\n/save no/such/folder.json\n";
    let done = desk.run_piped(&CHAT, typed);
    let said: Vec<&str> = done.stderr.lines().filter(|line| !line.starts_with('[')).collect();
    assert_eq!(
        said,
        [
            "model: script (script.json)",
            "error: there is no file yet to save to; name one, /save FILE.json",
            "saved to a talk.json",
            "saved to a talk.json",
            "error: cannot write no/such/folder.json: No such file or directory (os error 2)",
        ]
    );
    assert_eq!(done.status, Some(1));
    assert_eq!(contents(&desk.read_json("a talk.json")), ["First?", "One.", "Second?", "Two."]);

    desk.script([says("Three.")]);
    let more = ["--continue", "a talk.json", "--transcript", "a talk.json"];
    assert_eq!(desk.run_piped(&[&CHAT[..], &more].concat(), "Third?").stdout, "Three.\n");
    assert_eq!(contents(&desk.read_json("a talk.json")).len(), 6);
}

#[test]
fn a_command_that_is_not_there_is_told_and_a_space_makes_it_a_question() {
    let desk = Desk::new();
    desk.script([says("A file.")]);
    let done = desk.run_piped(&CHAT, "/usge\n/etc/hosts\n /etc/hosts\n");
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "A file.\n"));
    let errors: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(
        errors,
        [
            "error: there is no command /usge; did you mean /usage?",
            "error: there is no command /etc/hosts; /help lists them, and a space before it makes it a question",
        ]
    );
}

#[test]
fn lines_are_read_whatever_their_ends_and_bytes() {
    let desk = Desk::new();
    desk.script([says("One."), says("Two.")]);
    let arguments = [&CHAT[..], &["--transcript", "talk.json"]].concat();
    desk.run_piped(&arguments, b"First?\r\nSec\xffond?");
    let talk = desk.read_json("talk.json");
    assert_eq!(contents(&talk), ["First?", "One.", "Sec\u{fffd}ond?", "Two."]);
}

#[test]
fn what_cannot_be_written_costs_no_question() {
    let desk = Desk::new();
    desk.script([says("Yes.")]);
    let transcript = ["--transcript", "no/such/folder.json"];
    let stderr = desk.run_piped(&[&CHAT[..], &transcript].concat(), "Is it?\n").failed(1);
    insta::assert_snapshot!(stderr, @"error: cannot write no/such/folder.json: No such file or directory (os error 2)");
    let both = ["--transcript", "a.json", "--trace", "a.json"];
    desk.run_piped(&[&CHAT[..], &both].concat(), "Is it?\n").failed(2);
}
