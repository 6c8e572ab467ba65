//! `ask --continue`.

use agent_core::Reply;
use serde_json::{Value, json};
use tests::server::{Answer, Server};

use crate::desk::{Desk, calls, says};

fn roles(transcript: &Value) -> Vec<&str> {
    transcript.as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect()
}

#[test]
fn a_conversation_goes_on_in_its_file() {
    let desk = Desk::new();
    desk.script([calls("count_lines", r#"{"path":"lamp.md"}"#), says("8 lines.")]);
    desk.run(&["ask", "--script", "script.json", "--transcript", "run.json", "How long is it?"]);
    let before = desk.read_json("run.json");

    let server = Server::list([Answer::reply(Reply::text("8 and 3."))]);
    let url = server.url();
    let records = ["--continue", "run.json", "--transcript", "run.json"];
    let arguments = [&["ask", "--base-url", &url], &records[..], &["And cleaning.md?"]].concat();
    let done = desk.run(&arguments);
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "8 and 3.\n"), "{done:?}");

    let after = desk.read_json("run.json");
    let (old, new) = after.as_array().unwrap().split_at(5);
    assert_eq!(old, before.as_array().unwrap());
    assert_eq!(
        new,
        [
            json!({"role": "user", "content": "And cleaning.md?"}),
            json!({"role": "assistant", "content": "8 and 3."})
        ]
    );
    let log = server.log();
    assert_eq!((log.refused.len(), roles(&log.received[0].json()["messages"]).len()), (0, 6));
}

#[test]
fn a_run_that_failed_goes_on_where_it_was() {
    let desk = Desk::new();
    desk.script([calls("count_lines", r#"{"path":"lamp.md"}"#)]);
    let first = ["ask", "--script", "script.json", "--transcript", "run.json", "How long is it?"];
    assert_eq!(desk.run(&first).status, Some(1));
    let done = desk.run(&["ask", "--continue", "run.json", "How do I replace the bulb?"]);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(done.stdout.contains("lamp.md:"), "{done:?}");
}

#[test]
fn a_transcript_of_another_hand_is_made_good() {
    let desk = Desk::new();
    desk.write(
        "run.json",
        json!([
            {"role": "user", "content": [{"type": "text", "text": "How long is it?"}]},
            calls("count_lines", "{"),
        ])
        .to_string(),
    );
    desk.script([says("8 lines.")]);
    let records = ["--continue", "run.json", "--transcript", "new.json"];
    let arguments = [&["ask", "--script", "script.json"], &records[..], &["And?"]].concat();
    assert_eq!(desk.run(&arguments).status, Some(0));
    let transcript = desk.read_json("new.json");
    assert_eq!(roles(&transcript), ["system", "user", "assistant", "tool", "user", "assistant"]);
    assert_eq!(transcript[2]["tool_calls"][0]["function"]["arguments"], "{}");
}

#[test]
fn what_cannot_be_continued_is_an_error_that_names_it() {
    let desk = Desk::new();
    desk.write("object.json", "{}");
    desk.write("critic.json", r#"[{"role":"critic","content":"Hello"}]"#);
    let mut errors = String::new();
    for file in ["missing.json", "object.json", "critic.json"] {
        errors += &desk.run(&["ask", "--continue", file, "What?"]).failed(1);
    }
    insta::assert_snapshot!(errors, @r"
    error: cannot read missing.json: No such file or directory (os error 2)
    error: cannot continue object.json: not a JSON list of messages in Chat Completions form: invalid type: map, expected a sequence at line 1 column 0
    error: cannot continue critic.json: not a JSON list of messages in Chat Completions form: unknown variant `critic`, expected one of `developer`, `system`, `user`, `assistant`, `tool` at line 1 column 17
    ");
}
