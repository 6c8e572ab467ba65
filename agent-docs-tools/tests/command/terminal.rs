//! On a terminal.

use std::io::Read;
use std::time::Duration;

use agent_core::Reply;
use pty_process::Size;
use pty_process::blocking::{Command, open};
use serde_json::json;
use tests::server::{Answer, Server};

use crate::desk::Desk;

/// Runs `ask` on a terminal and gives all that was written to it.
fn written(desk: &Desk, server: &Server, options: &[&str]) -> String {
    let url = server.url();
    run(desk, &[&["ask", "--base-url", &url], options, &["How long is it?"]].concat())
}

/// Runs the command on a terminal and gives all that was written to it.
fn run(desk: &Desk, arguments: &[&str]) -> String {
    let (mut terminal, end) = open().unwrap();
    terminal.resize(Size::new(40, 300)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_docs-agent"))
        .args(arguments)
        .current_dir(desk.path(""))
        .env_clear()
        .env("TERM", "xterm")
        .spawn(end)
        .unwrap();
    let mut written = Vec::new();
    // The end of a terminal is an error.
    terminal.read_to_end(&mut written).unwrap_err();
    assert!(child.wait().unwrap().success());
    String::from_utf8(written).unwrap()
}

/// The lines that stand on the terminal in the end, of all that was written to it.
fn standing(written: &str) -> Vec<String> {
    let line = |line: &str| {
        // A line is cleared from its beginning before it is written anew.
        let rest = line.rsplit("\u{1b}[2K").next().unwrap_or(line);
        rest.rsplit('\r').find(|part| !part.is_empty()).unwrap_or_default().to_owned()
    };
    written.lines().map(line).collect()
}

fn replies() -> [Answer; 2] {
    let mut call = Reply::call("count_lines", json!({"path": "lamp.md"}));
    call.text = "Let me count.".into();
    call.usage.prompt_tokens = 1_000;
    let answer = Answer::reply(Reply::text("It has \u{1b}[2J8 lines."));
    // Long enough for the wait to be seen.
    [Answer::reply(call), answer.after(Duration::from_millis(300))]
}

#[test]
fn text_is_printed_as_it_comes_and_nothing_stays_of_the_wait() {
    let (desk, server) = (Desk::new(), Server::list(replies()));
    let written = written(&desk, &server, &[]);
    assert!(written.contains("step 2: waiting for the model 0s, 1000 tokens so far"), "{written}");
    let lines = standing(&written);
    let starts = [
        "model: default (custom; documents are sent to http://127.0.0.1:",
        "Let me count.",
        "[step 1] count_lines({\"path\":\"lamp.md\"}) -> 8 (",
        "It has [2J8 lines.",
        "[step 2] answer (",
    ];
    assert_eq!(lines.len(), starts.len(), "{lines:#?}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{lines:#?}");
    }
}

#[test]
fn json_is_printed_once_and_whole() {
    let (desk, server) = (Desk::new(), Server::list(replies()));
    let lines = standing(&written(&desk, &server, &["--json"]));
    assert!(
        lines.iter().any(|line| line.starts_with("[step 1] text: Let me count. (")),
        "{lines:#?}"
    );
    assert!(lines.last().unwrap().starts_with("{\"answer\":\"It has "), "{lines:#?}");
}

#[test]
fn a_document_drives_no_terminal_and_is_piped_as_it_is() {
    let desk = Desk::new();
    desk.write("docs/tape.md", "# Tape\n\nTape is \u{1b}]0;sticky\u{7}\tand \u{9b}2Jlong.\n");
    let read = ["call", "read_doc", r#"{"path":"tape.md"}"#];
    let shown = "Tape is ]0;sticky\tand 2Jlong.";
    assert!(run(&desk, &read).contains(shown));
    let answer = run(&desk, &["ask", "What is tape?"]);
    assert!(answer.contains(&format!("> {shown}")), "{answer:?}");
    let piped = desk.run(&read).stdout;
    assert!(piped.contains("Tape is \u{1b}]0;sticky\u{7}\tand \u{9b}2Jlong."), "{piped:?}");
}
