//! Calls that wait for approval, without a terminal to ask on.

use serde_json::json;

use crate::desk::{Desk, calls, says};

fn counting() -> Desk {
    let desk = Desk::new();
    desk.script([calls("count_lines", r#"{"path":"lamp.md"}"#), says("Done.")]);
    desk
}

#[test]
fn they_are_shown_and_denied() {
    for tool in ["count_lines", "all"] {
        let done =
            counting().run(&["ask", "--script", "script.json", "--ask-before", tool, "How?"]);
        assert_eq!((done.status, done.stdout.as_str()), (Some(0), "Done.\n"), "{done:?}");
        let shown = "count_lines waits for approval\n  path: \"lamp.md\"\n[step 1] count_lines(";
        assert!(done.stderr.contains(shown), "{done:?}");
        let denied = "-> error(denied): the call was not allowed: it needs approval, and there is no terminal to ask on";
        assert!(done.stderr.contains(denied), "{done:?}");
    }
}

#[test]
fn others_do_not_wait() {
    let done =
        counting().run(&["ask", "--script", "script.json", "--ask-before", "grep_docs", "How?"]);
    assert!(!done.stderr.contains("waits") && done.stderr.contains("-> 8 ("), "{done:?}");
    let done =
        counting().run_piped(&["chat", "--script", "script.json", "--ask-before", "all"], "How?");
    assert!(done.stderr.contains("-> error(denied): "), "{done:?}");
}

#[test]
fn nothing_in_them_drives_a_terminal() {
    let desk = Desk::new();
    let path = json!({"path": "a\u{1b}[2J\u{9b}2J\u{202e}b"}).to_string();
    desk.script([calls("count_lines", &path), says("Done.")]);
    let done = desk.run(&["ask", "--script", "script.json", "--ask-before", "all", "How?"]);
    assert!(done.stderr.contains(r#"path: "a\u001b[2J\u{9b}2J\u{202e}b""#), "{done:?}");
}

#[test]
fn a_tool_that_is_not_there_is_wrong_usage() {
    let stderr = counting().run(&["ask", "--ask-before", "grep_doc", "How?"]).failed(2);
    insta::assert_snapshot!(stderr, @"error: --ask-before: there is no tool `grep_doc`; there are: grep_docs, read_doc, list_docs, count_lines, or `all`");
}
