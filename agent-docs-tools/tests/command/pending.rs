//! `ask --pending` and `resume`.

use std::fs;

use serde_json::{Value, json};

use crate::desk::{Desk, Done, calls, says};

/// Asks until a call of `count_lines` waits. A first step is done before.
fn waiting() -> Desk {
    let desk = Desk::new();
    desk.script([
        calls("grep_docs", r#"{"keyword":"cloth"}"#),
        calls("count_lines", r#"{"path":"lamp.md"}"#),
    ]);
    let done = desk.run(&[&ASK[..], &["--json", "How long is it?"]].concat());
    assert_eq!((done.status, &done.json()["stop"]), (Some(3), &json!("awaiting_approval")));
    assert!(
        done.stderr.contains("\ncount_lines waits for approval\n  path: \"lamp.md\"\n"),
        "{done:?}"
    );
    let advice = "stopped without an answer: awaiting_approval (2 steps, 1 tool call)\nthe run waits in run.json; decide with docs-agent resume run.json\n";
    assert!(done.stderr.ends_with(advice), "{done:?}");
    desk
}

const ASK: [&str; 7] =
    ["ask", "--script", "script.json", "--ask-before", "count_lines", "--pending", "run.json"];

/// Goes on with these replies.
fn resume(desk: &Desk, replies: impl IntoIterator<Item = Value>, options: &[&str]) -> Done {
    desk.script(replies);
    let resume = ["resume", "run.json", "--script", "script.json", "--transcript", "talk.json"];
    let waits = ["--ask-before", "count_lines"];
    desk.run(&[&resume[..], &waits, options].concat())
}

/// The results in the transcript, cut short.
fn results(desk: &Desk) -> Vec<String> {
    let messages = desk.read_json("talk.json");
    let messages = messages.as_array().unwrap().iter();
    let results = messages.filter(|message| message["role"] == "tool");
    results.map(|message| message["content"].as_str().unwrap().chars().take(24).collect()).collect()
}

#[test]
fn a_run_goes_on_in_another_process_once_its_call_is_allowed() {
    let desk = waiting();
    let done = resume(&desk, [says("8 lines.")], &["--allow"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "8 lines.\n"), "{done:?}");
    assert!(done.stderr.contains("\nquestion: How long is it?\ncount_lines waits for approval\n"));
    assert_eq!(results(&desk), ["guide/cleaning.md:3: Wip", "8"]);
    assert!(!desk.path("run.json").exists());
}

#[test]
fn the_model_reads_why_a_call_is_denied() {
    let desk = waiting();
    let done = resume(&desk, [says("Not known.")], &["--deny", "count by hand", "--json"]);
    assert_eq!((done.status, &done.json()["steps"]), (Some(0), &json!(3)), "{done:?}");
    assert!(
        done.stderr.contains("error(denied): the call was not allowed: count by hand"),
        "{done:?}"
    );
}

#[test]
fn a_call_that_waits_later_is_kept_in_the_file_again() {
    let desk = waiting();
    let more = calls("count_lines", r#"{"path":"guide/cleaning.md"}"#);
    assert_eq!(resume(&desk, [more], &["--allow"]).status, Some(3));
    let done = resume(&desk, [says("8 and 3.")], &["--allow"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "8 and 3.\n"), "{done:?}");
    assert_eq!(results(&desk), ["guide/cleaning.md:3: Wip", "8", "3"]);
}

#[test]
fn a_file_that_keeps_a_run_is_not_written_over() {
    let desk = waiting();
    let kept = desk.read("run.json");
    let stderr = desk.run(&[&ASK[..], &["Again?"]].concat()).failed(2);
    insta::assert_snapshot!(stderr, @"error: there is a file run.json already; go on with the run it keeps, docs-agent resume run.json, or give --pending another");
    assert_eq!(desk.read("run.json"), kept);
    let done = resume(&desk, [], &[]);
    insta::assert_snapshot!(done.failed(2), @"error: there is no terminal to ask on; decide with --allow or --deny REASON");
    assert_eq!(desk.read("run.json"), kept);
}

#[test]
fn what_keeps_no_run_is_an_error_that_names_it() {
    let desk = waiting();
    let mut decided = desk.read_json("run.json");
    decided["pending"] = json!([]);
    desk.write("older.json", r#"{"version":0}"#);
    desk.write("decided.json", decided.to_string());
    desk.write("list.json", "[]");
    let mut errors = String::new();
    for file in ["older.json", "decided.json", "list.json", "missing.json"] {
        errors += &desk.run(&["resume", file, "--allow"]).failed(1);
    }
    errors += &desk.run(&[&ASK[..6], &["no/such/folder.json", "Why?"]].concat()).failed(1);
    errors += &desk.run(&["resume", "run.json", "--allow", "--trace", "run.json"]).failed(2);
    insta::assert_snapshot!(errors, @"
    error: cannot go on from older.json, which should be a file that --pending wrote: it was saved in the form of version 0, and this program reads version 1; go on from it with the program that saved it at line 1 column 13
    error: cannot go on from decided.json, which should be a file that --pending wrote: none of its calls waits for approval
    error: cannot go on from list.json, which should be a file that --pending wrote: invalid length 0, expected struct SavedRun with 6 elements at line 1 column 2
    error: cannot read missing.json: No such file or directory (os error 2)
    error: cannot write no/such/folder.json: No such file or directory (os error 2)
    error: the file of the run and --trace name one file; give each its own
    ");
}

#[test]
fn nothing_is_kept_of_a_run_whose_calls_do_not_wait() {
    let desk = Desk::new();
    desk.script([says("Yes.")]);
    assert_eq!(desk.run(&[&ASK[..], &["Is it?"]].concat()).status, Some(0));
    assert_eq!(fs::read_dir(desk.path("")).unwrap().count(), 2, "the documents and the script");
}

#[cfg(unix)]
mod on_a_terminal {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::{ASK, results, resume};
    use crate::desk::{Desk, calls, says};
    use crate::typist::{CTRL_C, Typist};

    /// A person is asked about a call of `count_lines`. A first step is done before.
    fn asked() -> (Desk, Typist) {
        let desk = Desk::new();
        desk.script([
            calls("grep_docs", r#"{"keyword":"cloth"}"#),
            calls("count_lines", r#"{"path":"lamp.md"}"#),
            says("8 lines."),
        ]);
        let transcript = ["--transcript", "talk.json", "How long is it?"];
        let mut typist = Typist::start(&desk, &[&ASK[..], &transcript].concat());
        typist.sees("[e]dit: ");
        (desk, typist)
    }

    #[test]
    fn a_killed_process_costs_nothing_and_each_tool_is_run_once() {
        let (desk, typist) = asked();
        let mode = fs::metadata(desk.path("run.json")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        typist.kill();
        let done = resume(&desk, [says("8 lines.")], &["--allow"]);
        assert_eq!((done.status, done.stdout.as_str()), (Some(0), "8 lines.\n"), "{done:?}");
        assert_eq!(results(&desk), ["guide/cleaning.md:3: Wip", "8"]);
        assert!(!done.stderr.contains("grep_docs"), "{done:?}");
        assert_eq!(resume(&desk, [says("8 lines.")], &["--allow"]).status, Some(1));
    }

    #[test]
    fn a_decision_removes_the_file() {
        let (desk, mut typist) = asked();
        assert!(desk.path("run.json").exists());
        typist.types("y\r").sees("8 lines.");
        assert_eq!(typist.ends().0, Some(0));
        assert!(!desk.path("run.json").exists());
        assert_eq!(results(&desk)[1..], ["8"]);
    }

    #[test]
    fn a_run_that_is_interrupted_instead_of_decided_on_can_be_resumed() {
        let (desk, mut typist) = asked();
        typist
            .types(CTRL_C)
            .sees("the run waits in run.json; decide with docs-agent resume run.json");
        assert_eq!(typist.ends().0, Some(130));
        let done = resume(&desk, [says("8 lines.")], &["--allow"]);
        assert_eq!((done.status, done.stdout.as_str()), (Some(0), "8 lines.\n"), "{done:?}");
        assert_eq!(results(&desk)[1..], ["8"]);
    }

    #[test]
    fn a_run_that_another_process_took_up_calls_nothing_here() {
        let (desk, mut typist) = asked();
        fs::remove_file(desk.path("run.json")).unwrap();
        typist.types("y\r").sees("run.json is gone: another process has taken up the run");
        typist.sees("8 lines.");
        typist.ends();
        assert!(results(&desk)[1].starts_with("error(denied)"), "{:?}", results(&desk));
    }

    #[test]
    fn a_resumed_run_asks_its_person() {
        let desk = super::waiting();
        desk.script([says("8 lines.")]);
        let mut typist = Typist::start(&desk, &["resume", "run.json", "--script", "script.json"]);
        typist.sees("question: How long is it?").sees("path: \"lamp.md\"").sees("[e]dit: ");
        assert!(desk.path("run.json").exists());
        typist.types("y\r").sees("8 lines.");
        assert_eq!(typist.ends().0, Some(0));
        assert!(!desk.path("run.json").exists());
    }
}
