//! `chat` on a terminal.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;

use agent_core::Reply;
use tests::server::{Answer, End, Server};

use crate::desk::{Desk, says};
use crate::typist::{CTRL_C, CTRL_D, Typist, UP};

const CHAT: [&str; 3] = ["chat", "--script", "script.json"];
const HISTORY: &str = "home/.local/state/docs-agent/history";

#[test]
fn a_question_is_typed_and_answered_until_the_person_leaves() {
    let desk = Desk::new();
    desk.script([says("One."), says("Two.")]);
    let mut typist = Typist::start(&desk, &CHAT);
    typist.sees("/help lists the commands").sees("docs> ").types("First?\r").sees("One.\r\n");
    typist.sees("docs> ").types("Second?\r").sees("Two.\r\n").sees("docs> ").types(CTRL_D);
    assert_eq!(typist.ends().0, Some(0));
}

#[test]
fn ctrl_c_stops_the_answer_and_keeps_the_conversation() {
    let desk = Desk::new();
    let reply = |text: &str| Answer::reply(Reply::text(text));
    let server = Server::list([reply("One."), Answer::nothing(End::Stall), reply("Three.")]);
    let url = server.url();
    let mut typist = Typist::start(&desk, &["chat", "--base-url", &url]);
    typist.sees("docs> ").types("First?\r").sees("One.").sees("docs> ").types("Second?\r");
    while server.log().received.len() < 2 {
        thread::sleep(Duration::from_millis(5));
    }
    typist.types(CTRL_C).sees("interrupted: the run is cancelled");
    typist.sees("stopped without an answer: cancelled").sees("docs> ").types("Third?\r");
    typist.sees("Three.").sees("docs> ").types("/quit\r");
    assert_eq!(typist.ends().0, Some(0));
    let last = server.log().received.last().unwrap().json().to_string();
    assert!(
        ["First?", "One.", "Second?", "Third?"].iter().all(|text| last.contains(text)),
        "{last}"
    );
}

#[test]
fn ctrl_c_clears_the_line_and_twice_on_an_empty_one_leaves() {
    let desk = Desk::new();
    desk.script([says("One.")]);
    let mut typist = Typist::start(&desk, &CHAT);
    typist.sees("docs> ").types("Not this").sees("Not this").types(CTRL_C).types("First?\r");
    typist.sees("One.").sees("docs> ").types(CTRL_C).sees("Ctrl-C once more leaves").sees("docs> ");
    typist
        .types("/usage\r")
        .sees("1 step")
        .sees("docs> ")
        .types(CTRL_C)
        .sees("docs> ")
        .types(CTRL_C);
    assert_eq!(typist.ends().0, Some(0));
    assert_eq!(desk.read(HISTORY), "#V2\nFirst?\n/usage\n");
}

#[test]
fn what_was_typed_is_kept_for_its_owner_and_called_back() {
    let desk = Desk::new();
    desk.script([says("One.")]);
    let mut typist = Typist::start(&desk, &CHAT);
    typist.sees("docs> ").types("First?\r").sees("One.").sees("docs> ").types(CTRL_D);
    typist.ends();
    let mode = fs::metadata(desk.path(HISTORY)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let mut typist = Typist::start(&desk, &CHAT);
    typist
        .sees("docs> ")
        .types(UP)
        .sees("First?")
        .types("\r")
        .sees("One.")
        .sees("docs> ")
        .types(CTRL_D);
    typist.ends();

    let mut typist = Typist::start(&desk, &[&CHAT[..], &["--no-history"]].concat());
    typist.sees("docs> ").types("Secret?\r").sees("One.").sees("docs> ").types(CTRL_D);
    typist.ends();
    assert_eq!(desk.read(HISTORY), "#V2\nFirst?\n");
}

#[test]
fn a_history_that_cannot_be_used_is_told_and_costs_nothing() {
    let desk = Desk::new();
    desk.script([says("One.")]);
    desk.write("home/.local", "a file where a folder is due");
    let mut typist = Typist::start(&desk, &CHAT);
    typist.sees("what is typed is not kept: cannot use ").sees("docs> ").types("First?\r");
    typist.sees("One.").sees("docs> ").types(CTRL_D);
    assert_eq!(typist.ends().0, Some(0));
}
