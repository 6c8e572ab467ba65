//! The planner driven by hand, over documents in memory.

use agent_core::{AssistantMessage, Message, ToolCall, ToolResult};
use proptest::prelude::*;

use super::*;

/// No question needs more steps than this.
const MAX_STEPS: usize = 5;

const BOATS: &[(&str, &str)] = &[
    (
        "boats.md",
        "# Boats\n\nA boat is a hollow thing that floats.\n\n## Painting a boat\n\nPaint the hull \
         twice:\n\n```\npaint --coats 2\n```\n\n## Launching\n\nPush the boat.",
    ),
    ("changes.md", "# Changes\n\n## 1.2.0 (2031-05-01)\n\n* painting a boat: the paint dries"),
    ("knots/reef knot.md", "A reef knot holds.\n\n## Kinds of sail\n\n* jib\n* main\n* spinnaker"),
];

/// The docs tools, as far as the planner sees them.
fn boat_tool(call: &Call) -> String {
    let lines = |text: &'static str| text.lines().enumerate().map(|(at, line)| (at + 1, line));
    match call {
        Call::List { .. } => BOATS.iter().map(|(path, _)| format!("{path}\n")).collect(),
        Call::Search { keyword } => {
            let all =
                BOATS.iter().flat_map(|(path, text)| lines(text).map(move |line| (path, line)));
            all.filter(|(_, (_, line))| line.to_lowercase().contains(keyword))
                .map(|(path, (number, line))| format!("{path}:{number}: {line}\n"))
                .collect()
        }
        Call::Read { path, start, end } => {
            let text = BOATS.iter().find(|(other, _)| other == path).map_or("", |(_, text)| text);
            lines(text)
                .filter(|(number, _)| (start..=end).contains(&number))
                .map(|(number, line)| format!("{number}: {line}\n"))
                .collect()
        }
    }
}

/// Asks, runs the calls with `tool` and goes on until the answer is in the transcript.
fn drive(messages: &mut Vec<Message>, question: &str, tool: impl Fn(&Call) -> String) -> String {
    messages.push(Message::User { content: question.to_owned() });
    for step in 1..=MAX_STEPS {
        let reply = reply(messages, |_| true);
        if reply.tool_calls.is_empty() {
            messages.push(Message::Assistant(AssistantMessage {
                content: reply.text.clone(),
                ..AssistantMessage::default()
            }));
            return reply.text;
        }
        push_calls(messages, step, reply, &tool);
    }
    panic!("no answer after {MAX_STEPS} steps");
}

fn push_calls(
    messages: &mut Vec<Message>,
    step: usize,
    reply: Reply,
    tool: impl Fn(&Call) -> String,
) {
    let calls = reply.tool_calls.into_iter().enumerate().map(|(index, call)| ToolCall {
        id: format!("{}-{step}-{index}", messages.len()),
        name: call.name,
        arguments: call.arguments.as_object().cloned().unwrap_or_default().into(),
    });
    let calls: Vec<ToolCall> = calls.collect();
    let results: Vec<Message> = calls
        .iter()
        .map(|call| {
            let made = Call::from_transcript(&call.name, &call.arguments);
            let content = made.as_ref().map_or_else(String::new, &tool);
            let (call_id, name) = (call.id.clone(), call.name.clone());
            Message::Tool(ToolResult { call_id, name, content, is_error: false })
        })
        .collect();
    messages.push(Message::Assistant(AssistantMessage { tool_calls: calls, ..Default::default() }));
    messages.extend(results);
}

fn ask(question: &str) -> String {
    drive(&mut Vec::new(), question, boat_tool)
}

/// The places an answer cites, in its order.
fn cited(answer: &str) -> Vec<&str> {
    let places = answer.lines().filter(|line| line.contains(".md:") && !line.starts_with('>'));
    places.map(|line| line.split_once(" (").map_or(line, |(place, _)| place)).collect()
}

#[test]
fn the_section_that_fits_is_cited_and_quoted() {
    let answer = ask("How do I paint the boat?");
    assert_eq!(cited(&answer).first(), Some(&"boats.md:5-11"));
    assert!(answer.contains("(Boats > Painting a boat)"), "{answer}");
    assert!(answer.contains("\n> paint --coats 2\n"), "{answer}");
    assert!(answer.contains("No language model was used"), "{answer}");
}

#[test]
fn a_release_note_comes_after_what_explains_unless_it_is_asked_for() {
    assert_eq!(cited(&ask("Painting a boat")).first(), Some(&"boats.md:5-11"));
    assert_eq!(cited(&ask("What was painted in 1.2.0?")).first(), Some(&"changes.md:3-5"));
}

#[test]
fn kinds_are_answered_with_a_list_and_a_path_may_hold_spaces() {
    let answer = ask("Which types of sail are there?");
    assert_eq!(cited(&answer).first(), Some(&"knots/reef knot.md:3-7"));
}

#[test]
fn a_definition_is_answered_with_the_line_that_defines() {
    assert_eq!(cited(&ask("What is a boat?")).first(), Some(&"boats.md:1-3"));
}

#[test]
fn where_nothing_fits_the_answer_says_so_and_cites_nothing() {
    for question in ["Who won the chess tournament?", "", "?!", "🎈", "怎么下棋？", "كيف ألعب؟"]
    {
        let answer = ask(question);
        assert!(answer.starts_with("Nothing in these documents fits the question."), "{answer}");
        assert_eq!(cited(&answer), Vec::<&str>::new());
    }
}

#[test]
fn words_that_stand_nowhere_are_named() {
    assert!(
        ask("How do I paint a zeppelin?").contains("The word \"zeppelin\" stands nowhere in them.")
    );
}

#[test]
fn a_follow_up_without_a_subject_is_read_with_the_question_before() {
    let mut messages = Vec::new();
    drive(&mut messages, "How do I paint a boat?", boat_tool);
    let answer = drive(&mut messages, "And why would I do that?", boat_tool);
    assert_eq!(cited(&answer).first(), Some(&"boats.md:5-11"));
    let answer = drive(&mut messages, "How does launching work?", boat_tool);
    assert_eq!(cited(&answer).first(), Some(&"boats.md:13-15"));
}

#[test]
fn without_tools_it_answers_from_what_it_knows() {
    let mut messages = vec![Message::User { content: "How do I paint the boat?".to_owned() }];
    for (step, expected) in
        ["Nothing", "There was no step left", "These passages"].iter().enumerate()
    {
        let answer = reply(&messages, |_| false);
        assert!(answer.tool_calls.is_empty() && answer.text.starts_with(expected), "{answer:?}");
        let reply = reply(&messages, |_| true);
        push_calls(&mut messages, step, reply, boat_tool);
    }
}

#[test]
fn the_request_for_a_last_answer_is_not_taken_for_the_question() {
    let wrap_up = || Message::User { content: WRAP_UP.to_owned() };
    let mut messages = vec![Message::User { content: "How do I paint the boat?".to_owned() }];
    for step in 0..2 {
        let reply = reply(&messages, |_| true);
        push_calls(&mut messages, step, reply, boat_tool);
    }
    messages.push(wrap_up());
    let answer = reply(&messages, |_| false).text;
    assert_eq!(cited(&answer).first(), Some(&"boats.md:5-11"), "{answer}");

    messages.push(Message::Assistant(AssistantMessage::default()));
    let answer = drive(&mut messages, "And why would I do that?", boat_tool);
    assert_eq!(cited(&answer).first(), Some(&"boats.md:5-11"), "{answer}");
}

/// What a result tells of the documents, as the result of a call of `list_docs`.
fn listed(content: &str, is_error: bool) -> Vec<String> {
    let call = Call::List { start: 1 };
    let (id, name) = ("c1".to_owned(), call.tool().to_owned());
    let tool_calls =
        vec![ToolCall { id: id.clone(), name: name.clone(), arguments: Default::default() }];
    let content = content.to_owned();
    let messages = [
        Message::Assistant(AssistantMessage { tool_calls, ..Default::default() }),
        Message::Tool(ToolResult { call_id: id, name, content, is_error }),
    ];
    take_notes(&messages).0.paths
}

#[test]
fn an_error_tells_of_no_documents_but_a_path_may_begin_like_one() {
    assert_eq!(listed("error(failed): no", true), Vec::<String>::new());
    assert_eq!(listed("error(1).md\nz.md", false), ["error(1).md", "z.md"]);
}

#[test]
fn only_tools_that_are_offered_are_called() {
    let messages = [Message::User { content: "How do I paint the boat?".to_owned() }];
    let reply = reply(&messages, |call| matches!(call, Call::List { .. }));
    let names: Vec<&str> = reply.tool_calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["list_docs"]);
}

proptest! {
    #[test]
    fn any_question_is_answered_whatever_the_tools_say(
        question in ".{0,200}",
        results in prop::collection::vec(any_result(), 1..8),
    ) {
        let tool = |call: &Call| {
            let pick = call.arguments().to_string().len() % results.len();
            results[pick].clone()
        };
        let answer = drive(&mut Vec::new(), &format!("boat {question}"), tool);
        prop_assert!(!answer.is_empty());
    }
}

fn any_result() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        ".{0,40}",
        (0usize.., "[a-z#` ]{0,20}").prop_map(|(number, text)| format!("{number}: {text}")),
        ("[a-c:/ ]{1,6}", 0usize..200).prop_map(|(path, line)| format!("{path}.md:{line}: # boat")),
        (0usize..200).prop_map(|number| format!("{number}: # a boat is")),
        Just("99 more matches in 3 files; a longer keyword finds fewer".to_owned()),
        Just("docs 1-2 of 18446744073709551615; go on with start=3".to_owned()),
        Just("error(failed): no".to_owned()),
        Just("7: ```".to_owned()),
    ];
    prop::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
}
