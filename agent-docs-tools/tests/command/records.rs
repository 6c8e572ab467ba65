//! `--transcript` and `--trace`.

use serde_json::{Value, json};

use crate::desk::{Desk, calls, says};

const ASK: [&str; 6] = ["ask", "--script", "script.json", "--transcript", "run.json", "What?"];

/// Checks a transcript as the strictest provider would, and gives the messages after the two it
/// begins with.
fn checked(desk: &Desk) -> Vec<Value> {
    let messages: Vec<Value> = serde_json::from_str(&desk.read("run.json")).unwrap();
    let mut due: Vec<&Value> = Vec::new();
    for message in &messages {
        if message["role"] == "tool" {
            assert_eq!(due.remove(0), &message["tool_call_id"]);
            assert!(message["content"].is_string());
            continue;
        }
        assert!(due.is_empty(), "a result is missing before {message}");
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            assert_eq!(call["type"], "function");
            let arguments = call["function"]["arguments"].as_str().unwrap();
            assert!(serde_json::from_str::<Value>(arguments).unwrap().is_object());
            due.push(&call["id"]);
        }
    }
    assert!(due.is_empty(), "the results of {due:?} are missing");
    let roles: Vec<&Value> = messages.iter().map(|message| &message["role"]).take(2).collect();
    assert_eq!(roles, ["system", "user"]);
    messages[2..].to_vec()
}

#[test]
fn the_transcript_holds_every_message_in_chat_completions_form() {
    let desk = Desk::new();
    desk.script([calls("count_lines", r#"{"path":"lamp.md"}"#), says("8 lines.")]);
    assert_eq!(desk.run(&ASK).status, Some(0));
    let messages = checked(&desk);
    let id = &messages[0]["tool_calls"][0]["id"];
    assert_eq!(
        messages,
        [
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function",
                "function": {"name": "count_lines", "arguments": r#"{"path":"lamp.md"}"#}}]}),
            json!({"role": "tool", "tool_call_id": id, "content": "8"}),
            json!({"role": "assistant", "content": "8 lines."}),
        ]
    );
}

#[test]
fn the_replies_of_a_transcript_make_a_script() {
    let desk = Desk::new();
    desk.script([calls("count_lines", r#"{"path":"lamp.md"}"#), says("8 lines.")]);
    desk.run(&ASK);
    let first = checked(&desk);
    desk.script(first.iter().filter(|message| message["role"] == "assistant").cloned());
    desk.run(&ASK);
    assert_eq!(checked(&desk), first);
}

#[test]
fn the_transcript_is_valid_whatever_the_model_sends() {
    let desk = Desk::new();
    let call = |id: &str, name: &str, arguments: Value| json!({"id": id, "function": {"name": name, "arguments": arguments}});
    desk.script([
        json!({"tool_calls": [
            call("same", "read_doc", json!("{\"path\":")),
            call("same", "read_doc", json!({"path": "lamp.md"})),
            call("", "no_such_tool", json!(null)),
            call("c4", "list_docs", json!([1])),
        ]}),
        json!({"content": "Done."}),
    ]);
    assert_eq!(desk.run(&ASK).status, Some(0));
    assert_eq!(checked(&desk).len(), 6);
}

#[test]
fn a_run_that_stopped_leaves_its_transcript() {
    let desk = Desk::new();
    desk.script((0..3).map(|_| calls("list_docs", "{}")));
    let arguments = [&["ask", "--max-steps", "2"], &ASK[1..]].concat();
    assert_eq!(desk.run(&arguments).status, Some(3));
    assert_eq!(checked(&desk).len(), 4);
}

#[test]
fn a_run_that_failed_leaves_its_transcript_and_trace() {
    let desk = Desk::new();
    desk.script([calls("list_docs", "{}")]);
    let arguments = [&["ask", "--trace", "run.jsonl"], &ASK[1..]].concat();
    assert_eq!(desk.run(&arguments).status, Some(1));
    assert_eq!(checked(&desk).len(), 2);
    let last: Value = serde_json::from_str(desk.read("run.jsonl").lines().last().unwrap()).unwrap();
    assert_eq!((&last["event"], &last["stop"]), (&json!("stopped"), &json!("error")));
    assert!(last["error"].as_str().is_some_and(|error| !error.is_empty()));
}

#[test]
fn the_trace_is_one_event_a_line() {
    let desk = Desk::new();
    desk.script([calls("count_lines", r#"{"path":"lamp.md"}"#), says("8")]);
    desk.run(&["ask", "--script", "script.json", "--trace", "run.jsonl", "How many?"]);
    let trace = desk.read("run.jsonl");
    let events: Vec<Value> =
        trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "run_started",
            "step_started",
            "replied",
            "call_started",
            "call_finished",
            "step_started",
            "text",
            "replied",
            "stopped"
        ]
    );
    assert_eq!(events[4]["result"]["content"], "8");
    assert_eq!(events[8]["counts"]["tool_calls"], 1);
}

#[test]
fn one_file_for_both_records_is_wrong_usage() {
    let desk = Desk::new();
    for trace in ["run.json", "./run.json", "docs/../run.json"] {
        let stderr =
            desk.run(&["ask", "--trace", trace, "--transcript", "run.json", "?"]).failed(2);
        assert_eq!(stderr, "error: --transcript and --trace name one file; give each its own\n");
        assert!(!desk.path("run.json").exists());
    }
}

#[cfg(unix)]
mod onto_a_file {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn the_transcript_keeps_its_permissions() {
        let desk = Desk::new();
        desk.script([says("Yes.")]);
        desk.write("run.json", "old");
        for mode in [0o600, 0o662] {
            fs::set_permissions(desk.path("run.json"), Permissions::from_mode(mode)).unwrap();
            assert_eq!(desk.run(&ASK).status, Some(0));
            assert_eq!(checked(&desk).len(), 1);
            let permissions = desk.path("run.json").metadata().unwrap().permissions();
            assert_eq!(permissions.mode() & 0o777, mode);
        }
    }

    #[test]
    fn a_read_only_file_is_an_error_before_the_run() {
        let desk = Desk::new();
        desk.write("run.json", "old");
        fs::set_permissions(desk.path("run.json"), Permissions::from_mode(0o444)).unwrap();
        let stderr = desk.run(&["ask", "--transcript", "run.json", "What?"]).failed(1);
        assert_eq!(stderr, "error: cannot write run.json: permission denied\n");
        assert_eq!(desk.read("run.json"), "old");
    }

    #[test]
    fn a_link_stays_and_what_it_names_is_written() {
        let desk = Desk::new();
        desk.script([says("Yes.")]);
        fs::create_dir(desk.path("kept")).unwrap();
        symlink("kept/real.json", desk.path("run.json")).unwrap();
        // The first run makes what the link names, the second replaces it.
        for _ in 0..2 {
            assert_eq!(desk.run(&ASK).status, Some(0));
            assert!(desk.path("run.json").is_symlink());
            assert!(desk.path("kept/real.json").is_file());
            assert_eq!(checked(&desk).len(), 1);
        }
    }

    #[test]
    fn a_link_to_itself_is_an_error_before_the_run() {
        let desk = Desk::new();
        symlink("run.json", desk.path("run.json")).unwrap();
        let stderr = desk.run(&["ask", "--transcript", "run.json", "What?"]).failed(1);
        assert!(stderr.starts_with("error: cannot write run.json: "), "{stderr}");
    }
}

#[test]
fn a_record_that_cannot_be_made_is_an_error_before_the_run() {
    let desk = Desk::new();
    for option in ["--transcript", "--trace"] {
        for path in ["missing/run.json", "docs"] {
            let stderr = desk.run(&["ask", option, path, "What?"]).failed(1);
            assert!(stderr.starts_with(&format!("error: cannot write {path}: ")), "{stderr}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_record_that_cannot_be_written_costs_no_answer() {
    let desk = Desk::new();
    desk.script([says("Yes.")]);
    for option in ["--transcript", "--trace"] {
        let done = desk.run(&["ask", "--script", "script.json", option, "/dev/full", "What?"]);
        assert_eq!((done.status, done.stdout.as_str()), (Some(1), "Yes.\n"));
        let last = done.stderr.lines().last().unwrap();
        assert!(last.starts_with("error: cannot write /dev/full: "), "{done:?}");
    }
}
