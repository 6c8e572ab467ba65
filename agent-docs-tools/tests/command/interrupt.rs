//! Ctrl-C.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agent_core::Reply;
use serde_json::{Value, json};
use tests::server::{Answer, End, Server};

use crate::desk::{Desk, Done, calls, says};

#[test]
fn ctrl_c_cancels_the_run_and_keeps_what_it_has_come_to() {
    const STEPS: usize = 100;
    let desk = Desk::new();
    // Long enough that the run is not over before it is interrupted.
    desk.write("docs/long.md", "a line that holds nothing of interest\n".repeat(400_000));
    let search = |n| calls("grep_docs", &json!({"keyword": format!("word {n}")}).to_string());
    desk.script((0..STEPS).map(search).chain([says("Not interrupted.")]));

    let mut command = desk.command(&["ask", "--script", "script.json", "--max-steps", "200"]);
    let mut child = command.args(["--transcript", "run.json", "What?"]).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("[step 1]") {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "the run is over");
    }
    interrupt(&child);

    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!((done.status.code(), done.stdout.as_slice()), (Some(130), &b""[..]), "{rest}");
    assert!(rest.contains("interrupted: the run is cancelled\n"), "{rest}");
    assert!(rest.contains("\nstopped without an answer: cancelled ("), "{rest}");

    let Value::Array(messages) = desk.read_json("run.json") else { panic!("no list") };
    let count = |role: &str| messages.iter().filter(|message| message["role"] == role).count();
    assert!((1..STEPS).contains(&count("tool")));
    assert_eq!(count("tool"), count("assistant"));
}

#[test]
fn ctrl_c_ends_a_request_at_once_and_the_run_can_be_continued() {
    let desk = Desk::new();
    let call = Reply::call("count_lines", json!({"path": "lamp.md"}));
    let answer = Answer::reply(Reply::text("It has 8 lines."));
    let server = Server::list([Answer::reply(call), Answer::nothing(End::Stall), answer]);
    let url = server.url();
    let arguments = ["ask", "--base-url", &url, "--transcript", "run.json"];
    let first = [&arguments, &["How long is it?"][..]].concat();
    let child = desk.command(&first).spawn().unwrap();
    while server.log().received.len() < 2 {
        thread::sleep(Duration::from_millis(5));
    }
    let interrupted = Instant::now();
    interrupt(&child);
    let done = Done::from(child.wait_with_output().unwrap());
    assert!(interrupted.elapsed() < Duration::from_secs(2), "{:?}", interrupted.elapsed());
    assert!(done.failed(130).contains("interrupted: the run is cancelled\n"));
    assert_eq!(desk.read_json("run.json").as_array().unwrap().len(), 4);

    let more = [&arguments[..], &["--continue", "run.json", "Well?"]].concat();
    let done = desk.run(&more);
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "It has 8 lines.\n"), "{done:?}");
    assert_eq!((server.log().refused.len(), server.log().left), (0, 1));
}

#[test]
fn ctrl_c_ends_a_conversation_from_a_pipe_between_its_questions() {
    let desk = Desk::new();
    desk.script([says("Yes.")]);
    let mut command = desk.command(&["chat", "--script", "script.json"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"Is it?\n").unwrap();
    let mut answer = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut answer).unwrap();
    assert_eq!(answer, "Yes.\n");
    // One that comes before the next line is waited for is not heard.
    let status = loop {
        interrupt(&child);
        thread::sleep(Duration::from_millis(20));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
    };
    assert_eq!(status.code(), Some(130));
}

#[test]
fn ctrl_c_ends_a_conversation_from_a_pipe_within_an_answer() {
    let desk = Desk::new();
    let server = Server::list([Answer::nothing(End::Stall)]);
    let url = server.url();
    let mut command = desk.command(&["chat", "--base-url", &url, "--transcript", "talk.json"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"First?\nSecond?\n").unwrap();
    while server.log().received.is_empty() {
        thread::sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    let done = Done::from(child.wait_with_output().unwrap());
    assert!(done.failed(130).contains("interrupted: the run is cancelled\n"));
    let talk = desk.read_json("talk.json").to_string();
    assert!(talk.contains("First?") && !talk.contains("Second?"), "{talk}");
}

fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}
