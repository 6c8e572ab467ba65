//! How results and turns go, one after another; `always` has what holds of any transcript.

mod always;

use std::sync::Arc;

use serde_json::json;

use super::plan::NOTE;
use super::{Context, ContextPolicy, CutReport, KeepNewest, Room, Window};
use crate::message::{AssistantMessage, Message, ToolCall, ToolResult};
use crate::usage::Usage;
use crate::{Toolbox, Transcript, tool, tools};

#[tool("Read a file.", read_only, register = false)]
fn read(path: &str) -> String {
    path.to_owned()
}

#[tool("Write a file.", register = false)]
fn write(path: &str) -> String {
    path.to_owned()
}

fn toolbox() -> Arc<Toolbox> {
    Arc::new(Toolbox::new(tools![read, write]).unwrap())
}

fn context(window: u64, policy: impl ContextPolicy + 'static) -> Context {
    Context::new(Arc::new(Window::new(Some(window), 0, Arc::new(policy), toolbox())))
}

fn of_window(window: Option<u64>, reply: u64) -> Context {
    let policy = Arc::new(KeepNewest::default());
    Context::new(Arc::new(Window::new(window, reply, policy, toolbox())))
}

fn system(content: &str) -> Message {
    Message::System { content: content.to_owned() }
}

fn user(content: &str) -> Message {
    Message::User { content: content.to_owned() }
}

fn text(content: &str) -> Message {
    Message::Assistant(AssistantMessage { content: content.to_owned(), ..Default::default() })
}

fn result(id: &str, name: &str, content: &str, is_error: bool) -> Message {
    let (call_id, name, content) = (id.to_owned(), name.to_owned(), content.to_owned());
    Message::Tool(ToolResult { call_id, name, content, is_error })
}

/// A turn that calls `name` once, with `a` as its argument, and the result.
fn turn(id: &str, name: &str, content: &str) -> [Message; 2] {
    let arguments = [("path".to_owned(), json!("a"))].into_iter().collect();
    let call = ToolCall { id: id.to_owned(), name: name.to_owned(), arguments };
    let reply = AssistantMessage { tool_calls: vec![call], ..Default::default() };
    [Message::Assistant(reply), result(id, name, content, false)]
}

fn valid(messages: &[Message]) -> bool {
    Transcript::try_from(messages.to_vec()).is_ok()
}

fn contents(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(content).collect()
}

fn content(message: &Message) -> &str {
    match message {
        Message::System { content } | Message::User { content } => content,
        Message::Assistant(reply) => &reply.content,
        Message::Tool(result) => &result.content,
    }
}

#[test]
fn old_results_are_cut_first_and_their_stubs_say_how_to_get_them_back() {
    let long = "word ".repeat(400);
    let mut messages = vec![system("Be brief."), user("Go.")];
    messages.extend(turn("a", "read", &long));
    messages.extend(turn("b", "write", &long));
    messages.extend(turn("c", "gone", &long));
    messages.extend([turn("d", "read", &long), turn("e", "read", "end")].concat());
    let mut context = context(1800, KeepNewest::default());
    let (shown, report) = context.view(&messages);
    let short = [
        "Be brief.",
        "Go.",
        "",
        r#"[cut to save room: 2000 characters; call read({"path":"a"}) again to see them]"#,
        "",
        "[cut to save room: 2000 characters; the call has done its work, do not repeat it to see them]",
        "",
        "[cut to save room: 2000 characters]",
        "",
        &long,
        "",
        "end",
    ];
    assert_eq!(contents(shown), short);
    let CutReport { results_cut, turns_dropped, tokens_before, tokens_after } = report.unwrap();
    assert_eq!((results_cut, turns_dropped), (3, 0));
    assert!(tokens_before > 1800 && tokens_after <= 1300, "{tokens_before} -> {tokens_after}");
}

#[test]
fn errors_and_short_results_have_no_stub() {
    let mut messages = vec![user("Go.")];
    messages.extend([turn("a", "read", "short"), turn("b", "read", "")].concat());
    messages.pop();
    messages.push(result("b", "read", &"bad ".repeat(100), true));
    let toolbox = toolbox();
    let room = Room::new(1000, &toolbox);
    for turn in [&messages[1..3], &messages[3..5]] {
        assert_eq!(super::stub::stubbed(turn, &room), turn);
    }
}

#[test]
fn long_arguments_are_not_repeated_in_a_stub() {
    let [mut reply, result] = turn("a", "read", &"word ".repeat(400));
    if let Message::Assistant(reply) = &mut reply {
        let path = json!("long/".repeat(100));
        reply.tool_calls[0].arguments = [("path".to_owned(), path)].into_iter().collect();
    }
    let toolbox = toolbox();
    let stubbed = super::stub::stubbed(&[reply, result], &Room::new(1000, &toolbox));
    let stub =
        "[cut to save room: 2000 characters; call read again with the same arguments to see them]";
    assert_eq!(contents(&stubbed)[1], stub);
}

#[test]
fn oldest_turns_go_next_each_question_with_its_whole_answer_and_the_first_question_says_so() {
    let long = "word ".repeat(100);
    let said = |question: &str| [user(question), text(&long), text(&long)];
    let messages = [said("One?"), said("Two?"), said("Three?"), said("Four?")].concat();
    let mut context = context(1000, KeepNewest::default());
    let (shown, report) = context.view(&messages);
    let first = format!("One?{NOTE}");
    assert_eq!(contents(shown), [&first, "Three?", &long, "Four?", &long, &long]);
    assert_eq!(report.unwrap().turns_dropped, 5);
}

#[test]
fn where_the_least_does_not_fit_the_newest_results_are_shortened_or_all_is_sent() {
    let long = "word ".repeat(400);
    let messages = [&[user("Go.")][..], &turn("a", "read", &long)].concat();
    let mut small = context(600, KeepNewest::default());
    let (shown, report) = small.view(&messages);
    assert!(contents(shown)[2].ends_with("\n[cut: the first 1000 of 2000 characters are shown]"));
    assert_eq!(report.unwrap().results_cut, 1);
    assert!(report.unwrap().tokens_after <= 600);

    let mut tiny = context(50, KeepNewest::default());
    let (shown, report) = tiny.view(&messages);
    assert_eq!((shown, report), (&messages[..], None));
}

#[test]
fn what_a_provider_counts_decides_when_to_cut() {
    let mut messages = vec![user("Go.")];
    messages.extend(turn("a", "read", &"word ".repeat(400)));
    messages.extend(turn("b", "read", "end"));
    let mut context = context(1500, KeepNewest { turns: 1 });
    assert_eq!(context.view(&messages).1, None);
    context.counted(Usage::default());
    assert_eq!(context.view(&messages).1, None, "no count is no reason");
    context.counted(Usage { prompt_tokens: 1600, ..Usage::default() });
    let report = context.view(&messages).1.unwrap();
    assert_eq!(report.tokens_before, 1600);
    assert!(report.tokens_after < 500);
    let event = serde_json::to_value(report.event(7)).unwrap();
    let told = (&event["event"], &event["step"], &event["results_cut"], &event["tokens_before"]);
    assert_eq!(told, (&json!("context_cut"), &json!(7), &json!(1), &json!(1600)));
}

#[test]
fn without_a_window_nothing_is_cut_and_the_reply_never_takes_more_than_half() {
    let messages = [user(&"word ".repeat(400))];
    let mut endless = of_window(None, 100);
    let (shown, report) = endless.view(&messages);
    assert!(std::ptr::eq(shown, &messages[..]) && report.is_none());

    let mut half = of_window(Some(2000), 9000);
    let (shown, report) = half.view(&messages);
    assert!(std::ptr::eq(shown, &messages[..]) && report.is_none());
}

#[test]
fn what_was_counted_before_anyone_kept_count_sets_no_scale() {
    let messages = [user("One?"), text(&"word ".repeat(200)), user("Two?")];
    let mut context = of_window(None, 0);
    context.view(&messages);
    context.counted(Usage { prompt_tokens: 250, ..Usage::default() });
    let report = context.shrink(&messages);
    let tokens = report.map_or_else(|| context.tokens(), |report| report.tokens_before);
    assert!((200..600).contains(&tokens), "{tokens}");
}
