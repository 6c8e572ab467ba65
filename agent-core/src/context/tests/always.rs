//! What holds of any transcript, window and policy.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{context, result, system, toolbox, user, valid};
use crate::context::plan::NOTE;
use crate::context::{Context, ContextPolicy, KeepNewest, Room, Window, estimate};
use crate::message::{AssistantMessage, Message, ToolCall, ToolResult};
use crate::usage::Usage;

/// The default policy, and some that do what they should not.
#[derive(Debug, Clone, Copy)]
enum Policy {
    Newest(usize),
    Nothing,
    Panic,
    EverySecond,
    Backwards,
    SystemAlone,
    WithoutResults,
    WithoutTheEnd,
    All,
    Twice,
}

impl ContextPolicy for Policy {
    fn cut(&self, messages: &[Message], room: &Room<'_>) -> Vec<Message> {
        let of = |keep: fn(&Message) -> bool| {
            messages.iter().filter(|message| keep(message)).cloned().collect()
        };
        match *self {
            Self::Newest(turns) => KeepNewest { turns }.cut(messages, room),
            Self::Nothing => Vec::new(),
            // Without the words of a real panic on standard error.
            Self::Panic => std::panic::resume_unwind(Box::new("a fault of the policy")),
            Self::EverySecond => messages.iter().step_by(2).cloned().collect(),
            Self::Backwards => messages.iter().rev().cloned().collect(),
            Self::SystemAlone => of(|message| matches!(message, Message::System { .. })),
            Self::WithoutResults => of(|message| !matches!(message, Message::Tool(_))),
            Self::WithoutTheEnd => messages.split_last().map_or(&[][..], |(_, rest)| rest).to_vec(),
            Self::All => messages.to_vec(),
            Self::Twice => [messages, messages].concat(),
        }
    }
}

fn policies() -> impl Strategy<Value = Policy> {
    use Policy::*;
    let bad = [
        Nothing,
        Panic,
        EverySecond,
        Backwards,
        SystemAlone,
        WithoutResults,
        WithoutTheEnd,
        All,
        Twice,
    ];
    prop_oneof![(0..5_usize).prop_map(Newest), proptest::sample::select(bad.to_vec())]
}

/// Text of up to some hundred tokens, in two scripts.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (0..40_usize).prop_map(|length| "word ".repeat(length)),
        1 => (0..400_usize).prop_map(|length| "word ".repeat(length)),
        1 => (0..60_usize).prop_map(|length| "語".repeat(length)),
    ]
}

/// One more thing that is said: what a run asks the model about next.
#[derive(Debug, Clone)]
enum Said {
    System(String),
    Question(String),
    Turn { text: String, results: Vec<(&'static str, String, bool)> },
}

fn said() -> impl Strategy<Value = Said> {
    let results = (proptest::sample::select(vec!["read", "write", "gone"]), texts(), any::<bool>());
    prop_oneof![
        1 => texts().prop_map(Said::System),
        3 => texts().prop_map(Said::Question),
        12 => ("[a-z ]{0,80}", vec(results, 0..4))
            .prop_map(|(text, results)| Said::Turn { text, results }),
    ]
}

/// A transcript, with the lengths it has whenever something has been said.
fn transcript(all: Vec<Said>) -> (Vec<Message>, Vec<usize>) {
    let (mut messages, mut lengths) = (vec![system("Be brief."), user("First?")], vec![2]);
    for said in all {
        match said {
            Said::System(content) => messages.push(system(&content)),
            Said::Question(content) => messages.push(user(&content)),
            Said::Turn { text, results } => {
                let id = |place: usize| format!("c{}-{place}", messages.len());
                let call = |(place, (name, ..)): (usize, &(&str, String, bool))| ToolCall {
                    id: id(place),
                    name: (*name).to_owned(),
                    arguments: Default::default(),
                };
                let tool_calls: Vec<ToolCall> = results.iter().enumerate().map(call).collect();
                let ids: Vec<String> = tool_calls.iter().map(|call| call.id.clone()).collect();
                let reply = AssistantMessage { content: text, tool_calls, ..Default::default() };
                messages.push(Message::Assistant(reply));
                let results = ids.iter().zip(results);
                messages
                    .extend(results.map(|(id, (name, text, bad))| result(id, name, &text, bad)));
            }
        }
        lengths.push(messages.len());
    }
    (messages, lengths)
}

fn conversations() -> impl Strategy<Value = (Vec<Message>, Vec<usize>)> {
    vec(said(), 0..40).prop_map(transcript)
}

/// What is shown of a message, without what may be cut of it.
fn outline(message: &Message) -> Message {
    match message {
        Message::Tool(result) => {
            Message::Tool(ToolResult { content: String::new(), ..result.clone() })
        }
        other => other.clone(),
    }
}

/// The messages that are always kept: instructions, the first and the last question, the newest turn.
fn least(messages: &[Message]) -> Vec<&Message> {
    let is_question = |message: &Message| matches!(message, Message::User { .. });
    let first = messages.iter().position(is_question);
    let last = messages.iter().rposition(is_question);
    let newest = messages.iter().rposition(|message| matches!(message, Message::Assistant(_)));
    let in_newest = |place: usize| {
        newest.is_some_and(|turn| {
            place == turn
                || place > turn
                    && messages[turn + 1..=place].iter().all(|m| matches!(m, Message::Tool(_)))
        })
    };
    // The newest turn is kept with its question.
    let asked = newest.and_then(|turn| messages[..turn].iter().rposition(is_question));
    let kept = |(place, message): &(usize, &Message)| {
        matches!(message, Message::System { .. })
            || [first, last, asked].contains(&Some(*place))
            || in_newest(*place)
    };
    messages.iter().enumerate().filter(kept).map(|(_, message)| message).collect()
}

/// A message of a view as it was before the note.
fn without_note(message: &Message) -> Message {
    match message {
        Message::User { content } => user(content.strip_suffix(NOTE).unwrap_or(content)),
        other => outline(other),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_policy_leaves_what_can_be_sent_and_the_view_only_grows_between_cuts(
        (messages, lengths) in conversations(),
        policy in policies(),
        window in 0..3000_u64,
        reply in 0..500_u64,
        counted in vec(0..5000_u64, 41),
    ) {
        let mut context = Context::new(Arc::new(Window::new(Some(window), reply, Arc::new(policy), toolbox())));
        let mut shown: Vec<Message> = Vec::new();
        let mut seen = 0;
        for (length, prompt_tokens) in lengths.into_iter().zip(counted) {
            let (view, report) = context.view(&messages[..length]);
            prop_assert!(!view.is_empty() && valid(view));
            prop_assert_eq!(view.last().map(outline), messages[..length].last().map(outline));
            shown.extend_from_slice(&messages[seen..length]);
            match report {
                None => prop_assert_eq!(view, &shown[..], "only what is new is added"),
                Some(_) => prop_assert!(view != &shown[..], "a cut that is told has cut"),
            }
            (shown, seen) = (view.to_vec(), length);
            context.counted(Usage { prompt_tokens, ..Usage::default() });
        }
    }

    #[test]
    fn the_default_policy_keeps_the_least_in_order_and_fits_whenever_that_fits(
        (messages, lengths) in conversations(),
        turns in 0..5_usize,
        window in 200..3000_u64,
    ) {
        let mut context = context(window, KeepNewest { turns });
        let toolbox = toolbox();
        let room = Room::new(0, &toolbox);
        let tools = estimate::tools(toolbox.tools());
        for length in lengths {
            let transcript = &messages[..length];
            let (view, _) = context.view(transcript);
            let least = least(transcript);
            let needed = room.count_all(least.iter().copied())
                + room.count(&user(NOTE))
                + room.scale.apply(tools);
            let fits = room.scale.apply(view.iter().map(estimate::message).sum::<u64>() + tools) <= window;
            prop_assert!(fits || needed > window, "{needed} of {window}");

            let outlines: Vec<Message> = view.iter().map(without_note).collect();
            let mut rest = outlines.iter();
            for message in least {
                prop_assert!(rest.any(|shown| *shown == outline(message)), "{message:?} is missing");
            }
            let mut rest = transcript.iter().map(outline);
            for shown in &outlines {
                prop_assert!(rest.any(|said| said == *shown), "{shown:?} was not said here");
            }
        }
    }

    #[test]
    fn a_step_reads_new_messages_alone(
        (messages, lengths) in conversations(),
        // The least always fits: else each step is a cut.
        window in 6000..12_000_u64,
    ) {
        let new = || context(window, KeepNewest::default());
        let (mut one, mut other, mut cut, mut seen) = (new(), new(), false, 0);
        for length in lengths {
            let expected = one.view(&messages[..length]);
            // The first cut is one of the transcript itself.
            if expected.1.is_some() && !cut {
                (cut, seen) = (true, 0);
            }
            let mut scrambled = vec![user(""); seen];
            scrambled.iter_mut().take(1).for_each(|first| *first = user(&"x".repeat(99_999)));
            scrambled.extend_from_slice(&messages[seen..length]);
            let (view, report) = other.view(&scrambled);
            prop_assert_eq!(report, expected.1);
            if std::ptr::eq(expected.0, &messages[..length]) {
                prop_assert!(std::ptr::eq(view, &scrambled[..]), "what fits is not copied");
            } else {
                prop_assert_eq!(view, expected.0);
            }
            seen = length;
        }
    }
}
