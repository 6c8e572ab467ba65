use std::time::{Duration, Instant};

use agent_core::{Agent, Message, Reply, ScriptedModel, tools};
use serde_json::json;

use super::page::MAX_CHARS;
use super::*;
use crate::corpus::fixture::Fixture;

fn read(fixture: &Fixture, path: &str, start: u32, end: impl Into<Option<u32>>) -> String {
    read_doc(&fixture.docs(), path, start, end.into()).unwrap()
}

fn read_error(fixture: &Fixture, start: u32, end: impl Into<Option<u32>>) -> String {
    read_doc(&fixture.docs(), "a.md", start, end.into()).unwrap_err().to_string()
}

fn grep(fixture: &Fixture, keyword: &str) -> String {
    grep_docs(&fixture.docs(), keyword).unwrap()
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap()
}

fn many_lines(count: usize) -> String {
    (1..=count).map(|i| format!("text {i}\n")).collect()
}

#[test]
fn ranges_are_cut_to_the_document() {
    let fixture = Fixture::new().file("a.md", "a\nb\nc\nd\ne");
    assert_eq!(read(&fixture, "a.md", 1, None), "1: a\n2: b\n3: c\n4: d\n5: e");
    assert_eq!(read(&fixture, "a.md", 4, 99), "4: d\n5: e");
    assert_eq!(read(&fixture, "a.md", 4, u32::MAX), "4: d\n5: e");
    assert_eq!(read(&fixture, "a.md", 5, None), "5: e");
}

#[test]
fn a_range_that_ends_within_the_document_says_where_to_go_on() {
    let fixture = Fixture::new().file("a.md", "a\nb\nc\nd\ne");
    let expected = "2: b\nlines 2-2 of 5; go on with start=3";
    assert_eq!(read(&fixture, "a.md", 2, 2), expected);
}

#[test]
fn ranges_that_are_none_are_errors_that_say_what_to_do() {
    let fixture = Fixture::new().file("a.md", "a\nb\nc\nd\ne");
    assert!(read_error(&fixture, 3, 1).contains("`end` (1) is before `start` (3)"));
    assert!(read_error(&fixture, u32::MAX, 1).contains("is before"));
    assert!(read_error(&fixture, 6, 9).contains("`a.md` has 5 lines"));
    assert!(read_error(&fixture, u32::MAX, None).contains("`a.md` has 5 lines"));
    assert!(read_error(&fixture, 0, 5).contains("counted from 1"));
}

#[test]
fn eighty_lines_are_shown_at_most() {
    let fixture = Fixture::new().file("a.md", many_lines(200));
    for end in [None, Some(80), Some(81), Some(200)] {
        let text = read(&fixture, "a.md", 1, end);
        assert_eq!(last_line(&text), "lines 1-80 of 200; go on with start=81");
        assert_eq!(text.lines().count(), 81);
    }
    let text = read(&fixture, "a.md", 81, None);
    assert_eq!(last_line(&text), "lines 81-160 of 200; go on with start=161");
    assert_eq!(last_line(&read(&fixture, "a.md", 161, None)), "200: text 200");
}

/// What the core leaves of a result of `read_doc`.
const MAX_CHARS_WITH_NOTE: usize = 3200;

#[test]
fn whole_lines_are_shown_within_the_result_limit() {
    for width in [50, 97, 100, 700, 1490, 1500, 2950] {
        let line = format!("{}é", "x".repeat(width - 1));
        let fixture = Fixture::new().file("a.md", format!("{line}\n").repeat(90));
        let text = read(&fixture, "a.md", 1, None);
        let lines = chars(&text) - chars(last_line(&text));
        assert!(lines <= MAX_CHARS, "{width}: {lines}");
        assert!(lines + width + 6 > MAX_CHARS, "{width}: another line would have fitted");
        assert!(chars(&text) <= MAX_CHARS_WITH_NOTE, "{width}: {}", chars(&text));
        let shown = text.lines().count() - 1;
        let expected = format!("lines 1-{shown} of 90; go on with start={}", shown + 1);
        assert_eq!(last_line(&text), expected);
        assert!(text.lines().take(shown).all(|shown| shown.ends_with(&line)));
    }
}

#[test]
fn a_single_line_over_the_limit_is_cut_and_says_by_how_much() {
    let line = format!("{}NEEDLE{}", "x日".repeat(100_000), "y".repeat(200_000));
    let fixture = Fixture::new().file("a.md", format!("short\n{line}\nend"));
    assert_eq!(last_line(&read(&fixture, "a.md", 1, None)), "lines 1-1 of 3; go on with start=2");

    let text = read(&fixture, "a.md", 2, None);
    assert!(chars(&text) <= MAX_CHARS_WITH_NOTE);
    assert!(text.starts_with("2: x日x日"));
    let lines: Vec<&str> = text.lines().collect();
    let shown = chars(lines[0]) - chars("2: …");
    let cut = format!("line 2 is cut after {shown} of its 400006 characters; grep_docs");
    assert!(lines[1].starts_with(&cut), "{}", lines[1]);
    assert!(shown > 2800);
    assert_eq!(lines[2], "lines 2-2 of 3; go on with start=3");
    assert!(grep(&fixture, "needle").contains("x日NEEDLEyy"));
}

#[test]
fn an_empty_document_is_said_to_be_empty() {
    let fixture = Fixture::new().file("a.md", "").file("b.md", "\u{FEFF}");
    assert_eq!(read(&fixture, "a.md", 1, None), "the doc is empty: it has 0 lines");
    assert_eq!(read(&fixture, "b.md", 1, None), "the doc is empty: it has 0 lines");
    assert_eq!(count_lines(&fixture.docs(), "a.md").unwrap(), 0);
}

#[test]
fn replaced_bytes_are_noted_where_they_are_shown() {
    let fixture = Fixture::new().file("latin1.md", b"caf\xE9 needle\nplain\nend");
    let note = "note: bytes that are not UTF-8 are shown as \u{FFFD}";
    let first = format!("1: caf\u{FFFD} needle\n{note}\nlines 1-1 of 3; go on with start=2");
    assert_eq!(read(&fixture, "latin1.md", 1, 1), first);
    assert_eq!(read(&fixture, "latin1.md", 2, None), "2: plain\n3: end");
    assert_eq!(grep(&fixture, "needle"), format!("latin1.md:1: caf\u{FFFD} needle\n{note}"));
}

#[test]
fn carriage_returns_are_not_shown() {
    let fixture = Fixture::new().file("a.md", "one\r\ntwo\r\n");
    assert_eq!(read(&fixture, "a.md", 1, 2), "1: one\n2: two");
    assert_eq!(grep(&fixture, "one"), "a.md:1: one");
    assert_eq!(count_lines(&fixture.docs(), "a.md").unwrap(), 2);
}

#[test]
fn hits_come_in_path_order_then_the_rest_is_counted() {
    let fixture = Fixture::new()
        .file("b/one.md", "x\n".repeat(15))
        .file("b.md", "x\n".repeat(10))
        .file("c.md", "x\n".repeat(3));
    let text = grep(&fixture, "X");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines[15], lines[19]), ("b/one.md:1: x", "b.md:1: x", "b.md:5: x"));
    assert_eq!(lines[20], "8 more matches in 2 files; a longer keyword finds fewer");
    assert_eq!(lines.len(), 21);
}

#[test]
fn exactly_twenty_hits_leave_nothing_to_count() {
    let fixture = Fixture::new().file("a.md", "x\n".repeat(20));
    assert_eq!(last_line(&grep(&fixture, "x")), "a.md:20: x");
    let fixture = fixture.file("b.md", "x");
    assert!(last_line(&grep(&fixture, "x")).starts_with("1 more match in 1 file;"));
}

#[test]
fn hits_stay_within_the_result_limit() {
    let long = "folder/".repeat(20);
    let fixture = Fixture::new().file(&format!("{long}a.md"), "xyz ".repeat(200));
    let fixture =
        fixture.file(&format!("{long}b.md"), format!("{}\n", "xyz".repeat(99)).repeat(40));
    let text = grep(&fixture, "xyz");
    assert!(chars(&text) <= MAX_CHARS);
    let shown = text.lines().count() - 1;
    let rest = format!("{} more matches in 1 file;", 41 - shown);
    assert!(last_line(&text).starts_with(&rest), "{}", last_line(&text));
}

#[test]
fn nothing_found_is_not_an_error() {
    let fixture = Fixture::new().file("a.md", "pool\ntimeout");
    assert!(grep(&fixture, "pool timeout").starts_with("no line holds `pool timeout`"));
}

#[test]
fn what_was_skipped_is_noted() {
    let fixture = Fixture::new().file("a.md", "needle").file("b.md", "needle\0");
    assert_eq!(grep(&fixture, "needle"), "a.md:1: needle\nnote: skipped 1 binary file");
    assert_eq!(last_line(&grep(&fixture, "zzz")), "note: skipped 1 binary file");
    assert_eq!(list_docs(&fixture.docs(), 1).unwrap(), "a.md\nb.md");
}

#[test]
fn a_list_without_docs_says_so() {
    let fixture = Fixture::new();
    let docs = fixture.docs();
    assert_eq!(list_docs(&docs, 1).unwrap(), "there are no docs in this folder");
    assert!(list_docs(&docs, 0).is_err());
    assert!(list_docs(&docs, 2).is_err());
}

#[test]
fn pages_of_a_long_list_follow_each_other() {
    let fixture = (0..300).fold(Fixture::new(), |f, i| f.file(&format!("topic-{i:03}.md"), ""));
    let docs = fixture.docs();
    let (mut start, mut seen) = (1, Vec::new());
    loop {
        let text = list_docs(&docs, start).unwrap();
        assert!(chars(&text) <= MAX_CHARS);
        let (paths, note) = text.rsplit_once('\n').unwrap();
        seen.extend(paths.lines().map(str::to_owned));
        assert!(note.starts_with(&format!("docs {start}-{} of 300", seen.len())), "{note}");
        match note.rsplit_once("start=") {
            Some((_, next)) => start = next.parse().unwrap(),
            None => break,
        }
    }
    assert_eq!(seen, docs.list().paths);
}

#[test]
fn ten_thousand_docs_give_bounded_results_in_seconds() {
    let fixture = (0..10_000)
        .fold(Fixture::new(), |f, i| f.file(&format!("d{:02}/{i:05}.md", i / 100), "needle\n"));
    let docs = fixture.docs();
    let begun = Instant::now();
    let list = list_docs(&docs, 1).unwrap();
    let hits = grep_docs(&docs, "needle").unwrap();
    let missing = count_lines(&docs, "d00/nothing.md").unwrap_err().to_string();
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert!([&list, &hits, &missing].iter().all(|text| chars(text) <= MAX_CHARS));
    assert!(list.starts_with("d00/00000.md\nd00/00001.md\n"));
    assert!(last_line(&list).contains("of 10000; go on with start="));
    assert!(last_line(&hits).starts_with("9980 more matches in 9980 files"));
}

#[test]
fn the_tools_change_nothing_and_are_tagged_as_docs() {
    let tools = tools![list_docs, grep_docs, read_doc, count_lines];
    assert_eq!(
        tools.each_ref().map(|tool| tool.name()),
        ["list_docs", "grep_docs", "read_doc", "count_lines"]
    );
    for tool in tools {
        assert!(tool.annotations().read_only, "{}", tool.name());
        assert_eq!(tool.tags(), ["docs"], "{}", tool.name());
    }
}

#[tokio::test]
async fn a_model_gets_the_same_results_as_a_caller() {
    let fixture = Fixture::new().file("a.md", "needle\nend\n");
    let model = ScriptedModel::new([
        Reply::call("list_docs", json!({}))
            .and_call("grep_docs", json!({"keyword": "NEEDLE"}))
            .and_call("read_doc", json!({"path": "a.md", "start": 2}))
            .and_call("count_lines", json!({"path": "a.md"}))
            .and_call("read_doc", json!({"path": "a.md", "start": -1, "end": "x"}))
            .and_call("read_doc", json!({"path": "../outside/a.md"})),
        Reply::text("done"),
    ]);
    let agent = Agent::builder()
        .model(model)
        .tools(tools![list_docs, grep_docs, read_doc, count_lines])
        .state(fixture.docs())
        .build()
        .unwrap();
    let run = agent.run("?").await.unwrap();
    let results: Vec<&str> = run
        .transcript()
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::Tool(result) => Some(result.content.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(results[..4], ["a.md", "a.md:1: needle", "2: end", "2"]);
    assert!(results[4].starts_with("error(invalid_arguments): "), "{}", results[4]);
    assert!(results[5].starts_with("error(failed): the path is outside"), "{}", results[5]);
}
