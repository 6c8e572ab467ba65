//! Standard output and standard error that are closed or full.

use std::io::Read;
use std::process::Stdio;

use crate::desk::{Desk, says};

/// Runs the command with a reader that goes away at once; gives the status and standard error.
fn with_closed_stdout(desk: &Desk, arguments: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let done = desk.command(arguments).stdout(writer).output().unwrap();
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let desk = Desk::new();
    desk.script([says(&"A long answer.\n".repeat(10_000))]);
    for arguments in [
        &["ask", "--script", "script.json", "What?"][..],
        &["ask", "--script", "script.json", "--json", "What?"],
        &["call", "list_docs"],
        &["tools"],
        &["tools", "--json"],
        &["ask", "--help"],
    ] {
        let (status, stderr) = with_closed_stdout(&desk, arguments);
        assert_eq!(status, Some(0), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("error") && !stderr.contains("panicked"), "{stderr}");
    }
}

#[test]
fn a_reader_that_takes_a_part_gets_it() {
    let desk = Desk::new();
    desk.script([says(&"A long answer.\n".repeat(100_000))]);
    let mut child = desk.command(&["ask", "--script", "script.json", "What?"]).spawn().unwrap();
    let mut part = [0; 14];
    child.stdout.take().unwrap().read_exact(&mut part).unwrap();
    assert_eq!(&part, b"A long answer.");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn standard_error_may_be_closed() {
    let desk = Desk::new();
    desk.script([says("Yes.")]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = desk.command(&["ask", "--script", "script.json", "What?"]);
    let done = command.stderr(writer).output().unwrap();
    assert_eq!((done.status.code(), done.stdout.as_slice()), (Some(0), &b"Yes.\n"[..]));
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_printed_is_an_error() {
    let desk = Desk::new();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = desk.command(&["call", "list_docs"]);
    let done = command.stdout(Stdio::from(full)).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    let stderr = String::from_utf8(done.stderr).unwrap();
    assert!(stderr.starts_with("error: cannot write to standard output: "), "{stderr}");
}
