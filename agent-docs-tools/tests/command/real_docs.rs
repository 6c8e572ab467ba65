//! The documentation of a real library, the HTTPX folder that `AGENT_TEST_HTTPX_DOCS` names.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::desk::{Desk, calls, says};

/// The folder; `None` says that there is none.
fn httpx_docs() -> Option<PathBuf> {
    let folder = std::env::var_os("AGENT_TEST_HTTPX_DOCS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: AGENT_TEST_HTTPX_DOCS does not name the HTTPX documentation");
    }
    folder
}

fn line(folder: &Path, path: &str, number: usize) -> String {
    let text = fs::read_to_string(folder.join(path)).unwrap();
    text.lines().nth(number - 1).unwrap().trim().to_owned()
}

#[test]
fn a_search_gives_twenty_hits_in_path_order_and_counts_the_rest() {
    let Some(folder) = httpx_docs() else { return };
    let docs = folder.to_str().unwrap();
    let done =
        Desk::empty().run(&["call", "--docs", docs, "grep_docs", r#"{"keyword":"timeout"}"#]);
    assert_eq!(done.status, Some(0), "{done:?}");

    let lines: Vec<&str> = done.stdout.lines().collect();
    let first = line(&folder, "advanced/extensions.md", 10);
    assert_eq!(lines[0], format!("advanced/extensions.md:10: {first}"));
    assert_eq!(lines.len(), 21);
    let paths: Vec<PathBuf> =
        lines[..20].iter().map(|line| line.split(':').next().unwrap().into()).collect();
    assert!(paths.is_sorted(), "{paths:?}");
    assert!(lines[20].contains("more matches in"), "{}", lines[20]);
}

#[test]
fn a_document_is_read_to_its_end_or_to_where_to_go_on() {
    let Some(folder) = httpx_docs() else { return };
    let docs = folder.to_str().unwrap();
    let read =
        |arguments: &str| Desk::empty().run(&["call", "--docs", docs, "read_doc", arguments]);
    let done = read(r#"{"path":"advanced/timeouts.md","start":1,"end":200}"#);
    assert_eq!(done.status, Some(0));
    let first = line(&folder, "advanced/timeouts.md", 1);
    assert!(done.stdout.starts_with(&format!("1: {first}\n2: ")), "{}", done.stdout);
    let last = done.stdout.lines().last().unwrap();
    assert!(last.starts_with("71: ") || last.contains(" of 71; go on with start="), "{last}");

    let done = read(r#"{"path":"advanced/timeout.md"}"#);
    assert_eq!(done.status, Some(1));
    assert!(done.stdout.contains("`advanced/timeouts.md`"), "{}", done.stdout);
}

#[test]
fn a_script_runs_to_its_answer_in_four_steps() {
    let Some(folder) = httpx_docs() else { return };
    let docs = folder.to_str().unwrap();
    let answer =
        "httpx has four timeouts: connect, read, write, pool (advanced/timeouts.md, lines 45-61).";
    let desk = Desk::empty();
    desk.script([
        calls("grep_docs", r#"{"keyword":"pool timeout"}"#),
        calls("read_doc", r#"{"path":"advanced/timeouts.md","start":1,"end":200}"#),
        calls("read_doc", r#"{"path":"advanced/timeout.md"}"#),
        says(answer),
    ]);
    let ask = ["ask", "--docs", docs, "--script", "script.json", "--transcript", "run.json"];

    let done = desk.run(&[&ask[..], &["What timeouts are there?"]].concat());
    assert_eq!((done.status, done.stdout), (Some(0), format!("{answer}\n")));
    let messages = desk.read_json("run.json");
    let results: Vec<&str> = messages
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(results.len(), 3);
    assert!(!results[0].starts_with("error("), "{}", results[0]);
    assert!(results[2].starts_with("error(failed): "), "{}", results[2]);

    let done = desk.run(&[&ask[..], &["--json", "What timeouts are there?"]].concat());
    let outcome = done.json();
    assert_eq!((&outcome["steps"], &outcome["tool_calls"]), (&json!(4), &json!(3)));

    let done = desk.run(&[&ask[..], &["--max-steps", "2", "What timeouts are there?"]].concat());
    assert!(
        done.failed(3).contains("stopped without an answer: max_steps (2 steps, 2 tool calls)")
    );
}
