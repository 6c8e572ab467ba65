//! Ctrl-C.

use std::io::{BufRead, BufReader, Read};
use std::process::Command;

use serde_json::{Value, json};

use crate::desk::{Desk, calls, says};

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
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());

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
