use std::time::Duration;

use serde_json::json;

use super::{Limits, Machine, Next, StopReason};
use crate::message::Message;
use crate::{Reply, Toolbox, Transcript, Usage, tool, tools};

#[tool("Look.", read_only, register = false)]
fn look(n: u8) -> u8 {
    n
}

#[tool("Touch.", register = false)]
fn touch() {}

fn machine() -> Machine {
    let toolbox = Toolbox::new(tools![look, touch]).unwrap();
    let mut machine = Machine::new(Transcript::new(), toolbox, Limits::default());
    machine.ask("go");
    machine
}

/// The places of the calls that are to be run next.
fn planned(machine: &Machine) -> Vec<usize> {
    match machine.next() {
        Next::RunTools(calls) => calls.iter().map(|planned| planned.index).collect(),
        _ => Vec::new(),
    }
}

fn five_calls() -> Reply {
    Reply::call("look", json!({"n": 1}))
        .and_call("look", json!({"n": 2}))
        .and_call("touch", json!({}))
        .and_call("look", json!({"n": 3}))
        .and_call("luck", json!({}))
}

#[test]
fn a_batch_is_calls_that_change_nothing_or_one_that_may() {
    let mut machine = machine();
    machine.replied(five_calls(), Duration::ZERO);
    assert_eq!(planned(&machine), [0, 1]);
    machine.answered(1, "2", false, Duration::ZERO);
    assert_eq!(planned(&machine), [0]);
    machine.answered(0, "1", false, Duration::ZERO);
    assert_eq!(planned(&machine), [2]);
    machine.answered(2, "ok", false, Duration::ZERO);
    assert_eq!(planned(&machine), [3]);
    assert_eq!(machine.transcript().messages().len(), 1, "a turn is seen when it is whole");
    machine.answered(3, "3", false, Duration::ZERO);
    assert!(matches!(machine.next(), Next::CallModel { tools: true }));
    assert_eq!(machine.transcript().messages().len(), 7);
    assert_eq!(machine.counts().tool_calls, 5);
}

#[test]
fn what_is_not_due_changes_nothing() {
    let mut machine = machine();
    machine.answered(0, "early", false, Duration::ZERO);
    machine.replied(five_calls(), Duration::ZERO);
    machine.replied(Reply::text("again"), Duration::ZERO);
    machine.answered(2, "not yet", false, Duration::ZERO);
    machine.answered(77, "nowhere", false, Duration::ZERO);
    assert_eq!((planned(&machine), machine.counts().steps), (vec![0, 1], 1));
    machine.stop(StopReason::Deadline);
    machine.stop(StopReason::Cancelled);
    machine.answered(0, "late", false, Duration::ZERO);
    assert!(matches!(machine.next(), Next::Stopped(StopReason::Deadline)));
}

#[test]
fn a_question_asked_while_calls_are_pending_cancels_them_first() {
    let mut machine = machine();
    machine.replied(five_calls(), Duration::ZERO);
    machine.answered(0, "1", false, Duration::ZERO);
    machine.ask("never mind, what about this?");
    let contents: Vec<&str> = machine
        .transcript()
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::Tool(result) => result.content.split(';').next(),
            Message::User { content } => Some(content.as_str()),
            _ => None,
        })
        .collect();
    let cancelled = "error(cancelled): the run was cancelled while the call was pending";
    let unknown = "error(unknown_tool): there is no tool `luck`";
    let expected =
        ["go", "1", cancelled, cancelled, cancelled, unknown, "never mind, what about this?"];
    assert_eq!(contents, expected);
}

#[test]
fn a_wrap_up_that_was_saved_is_not_asked_for_beyond_the_budget_of_who_restores_it() {
    let machine = |token_budget| {
        let limits = Limits { max_steps: 1, wrap_up: true, token_budget, ..Limits::default() };
        Machine::new(Transcript::new(), Toolbox::default(), limits)
    };
    let mut saved = machine(None);
    saved.ask("go");
    let used = Usage { prompt_tokens: 10, ..Usage::default() };
    saved.replied(Reply::call("luck", json!({})).with_usage(used), Duration::ZERO);
    assert!(matches!(saved.next(), Next::CallModel { tools: false }));
    let restored = machine(Some(10)).restored(saved.save()).unwrap();
    assert!(matches!(restored.next(), Next::Stopped(StopReason::TokenBudget)));
    let restored = machine(Some(11)).restored(saved.save()).unwrap();
    assert!(matches!(restored.next(), Next::CallModel { tools: false }));
}

/// The rule that makes a run testable by hand and durable: its decisions depend on nothing else.
#[test]
fn the_state_machine_knows_no_runtime_clock_file_or_network() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/run");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("tests.rs") {
            continue;
        }
        read += 1;
        let source = std::fs::read_to_string(&path).unwrap();
        let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for word in [
                "tokio",
                "reqwest",
                "Instant",
                "SystemTime",
                "std::fs",
                "std::net",
                "std::io",
                "std::thread",
            ] {
                assert!(!line.contains(word), "{} holds {word}: {line}", path.display());
            }
        }
    }
    assert!(read >= 5, "the folder is where it was");
}
