//! The guide: its tables say what the code says, and its links lead somewhere.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests may fail like the tests themselves"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use agent_core::agent::Approval;
use agent_core::{Arguments, ErrorKind, Limits, Role, StopReason};
use serde_json::Value;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs"))
}

fn page(name: &str) -> String {
    fs::read_to_string(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn pages() -> Vec<String> {
    let entries = fs::read_dir(folder()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The rows of the table under a heading, without its head.
fn table(page_name: &str, heading: &str) -> Vec<Vec<String>> {
    let page = page(page_name);
    let section = page.split("\n## ").find(|section| section.lines().next() == Some(heading));
    let section = section.unwrap_or_else(|| panic!("{page_name} has no section `{heading}`"));
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = |row: &str| row.split(" | ").map(|cell| cell.replace('`', "")).collect();
    rows.skip(1).map(cells).collect()
}

fn first_column(page: &str, heading: &str) -> Vec<String> {
    table(page, heading).into_iter().filter_map(|row| row.into_iter().next()).collect()
}

#[test]
fn the_error_kinds_are_those_of_the_code() {
    let kinds = ErrorKind::ALL.map(ErrorKind::as_str);
    assert_eq!(first_column("results-and-errors.md", "Error kinds"), kinds);
}

#[test]
fn the_stop_reasons_are_those_of_the_code() {
    let reasons = StopReason::ALL.map(StopReason::as_str);
    assert_eq!(first_column("the-loop-and-its-stops.md", "Stop reasons"), reasons);
}

/// Each limit with its default.
fn limits_of_the_code() -> BTreeSet<[String; 2]> {
    let shown = |value: Value| match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text,
        other => other.to_string(),
    };
    let Value::Object(limits) = serde_json::to_value(Limits::default()).unwrap() else {
        panic!("limits are an object");
    };
    limits.into_iter().map(|(name, value)| [name, shown(value)]).collect()
}

#[test]
fn the_limits_and_their_defaults_are_those_of_the_code() {
    let in_guide: BTreeSet<[String; 2]> = table("the-loop-and-its-stops.md", "Limits")
        .into_iter()
        .filter_map(|row| row.into_iter().take(2).collect::<Vec<_>>().try_into().ok())
        .collect();
    assert_eq!(in_guide, limits_of_the_code());
}

/// Beside the limits, the dangers name what is no limit; that is checked by its own pages.
#[test]
fn each_limit_holds_a_danger_with_the_default_it_has_in_the_code() {
    let dangers = table("leaving-a-run-alone.md", "Dangers");
    for [limit, default] in limits_of_the_code() {
        if limit == "wrap_up" {
            continue; // It bounds nothing.
        }
        let holds = |row: &&Vec<String>| row[1].split([',', ' ']).next() == Some(limit.as_str());
        let danger = dangers.iter().find(holds).unwrap_or_else(|| panic!("no danger for {limit}"));
        assert_eq!(danger[2].split(' ').next(), Some(default.as_str()), "{limit}");
    }
}

#[test]
fn the_decisions_are_those_of_the_code() {
    let arguments = Arguments::default();
    let decisions = [
        Approval::Allow,
        Approval::AllowForRun,
        Approval::AllowWith { arguments },
        Approval::deny(""),
        Approval::Later,
    ];
    let words = decisions.each_ref().map(Approval::as_str);
    assert_eq!(first_column("leaving-a-run-alone.md", "Which calls wait for approval"), words);
}

#[test]
fn the_fields_of_a_role_are_those_of_the_code() {
    let role = serde_json::to_value(Role::default()).unwrap();
    let fields: BTreeSet<&str> = role.as_object().unwrap().keys().map(String::as_str).collect();
    let in_guide = first_column("leaving-a-run-alone.md", "Who may use which tools");
    assert_eq!(in_guide.iter().map(String::as_str).collect::<BTreeSet<_>>(), fields);
}

#[test]
fn the_options_of_the_attribute_are_those_the_macro_lists() {
    let message = include_str!("../ui/unknown-option.stderr");
    let in_code: Vec<&str> =
        message.lines().next().unwrap().split('`').skip(3).step_by(2).collect();
    let in_guide = first_column("your-first-tool.md", "Options of the tool attribute");
    let names = in_guide.iter().map(|option| option.split(['(', ' ']).next().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), in_code);
}

#[test]
fn the_docs_tools_are_those_of_the_code() {
    let in_code: BTreeSet<_> =
        agent_docs_tools::tools().into_iter().map(|tool| tool.name().to_owned()).collect();
    let in_guide = first_column("the-docs-agent.md", "The docs tools");
    assert_eq!(BTreeSet::from_iter(in_guide), in_code);
}

const ASK_HELP: &str =
    include_str!("../../agent-docs-tools/tests/command/snapshots/command__help__ask.snap");

#[test]
fn the_options_of_ask_are_those_of_its_help() {
    let options = ASK_HELP.lines().filter_map(|line| line.strip_prefix("      --"));
    let names: Vec<_> = options.map(|option| option.split(' ').next().unwrap()).collect();
    let in_guide = first_column("the-docs-agent.md", "Asking a question");
    let in_guide =
        in_guide.iter().map(|option| option.split(' ').next().unwrap().trim_start_matches('-'));
    assert_eq!(in_guide.collect::<BTreeSet<_>>(), names.into_iter().collect());
}

#[test]
fn the_commands_of_chat_are_those_of_its_help() {
    let help = include_str!(
        "../../agent-docs-tools/tests/command/snapshots/command__chat__a_command_tells_of_the_conversation_and_asks_no_model.snap"
    );
    let command =
        |line: &str| line.starts_with('/').then(|| line.split("  ").next().map(str::to_owned));
    let in_code: Vec<_> = help.lines().filter_map(command).flatten().collect();
    assert_eq!(first_column("the-docs-agent.md", "Holding a conversation"), in_code);
}

#[test]
fn the_exit_statuses_are_those_of_the_help() {
    let line = ASK_HELP.lines().find_map(|line| line.strip_prefix("Exit status: ")).unwrap();
    let numbers: Vec<_> = line.split(", ").map(|part| part.split(' ').next().unwrap()).collect();
    assert_eq!(first_column("the-docs-agent.md", "Exit status"), numbers);
}

#[test]
fn every_link_leads_to_a_page_and_a_heading() {
    for name in pages() {
        let text = page(&name);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = page(if target.is_empty() { &name } else { target });
            let mut headings = target.lines().filter(|line| line.starts_with('#')).map(slug);
            let found = anchor.is_empty() || headings.any(|heading| heading == anchor);
            assert!(found, "{name} links to {link}");
        }
    }
}

/// A heading as links name it.
fn slug(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_page_is_in_the_index_and_its_code_is_compiled() {
    let compiled = include_str!("../../examples/src/lib.rs");
    for name in pages() {
        assert!(compiled.contains(&format!("\"{name}\"")), "{name} is no doctest");
        assert!(name == "index.md" || page("index.md").contains(&format!("({name})")), "{name}");
    }
}
