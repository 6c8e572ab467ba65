//! The lines that show a run as it happens.

use std::time::Duration;

use agent_core::{Event, StopReason, ToolCall};
use serde_json::Value;

const MAX_ARGUMENTS: usize = 200;
const MAX_RESULT: usize = 100;

/// Makes lines of events, one a tool call, such as
/// `[step 2] read_doc({"path":"index.md"}) -> 1: # Welcome … (0.4 ms)`.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// The last reply, until it is known whether its text is the answer.
    reply: Option<(String, Duration)>,
}

impl Steps {
    /// The lines that tell of `event`, if any.
    pub(crate) fn told(&mut self, event: &Event) -> Vec<String> {
        match event {
            Event::Replied { text, time, .. } => {
                self.reply = Some((one_line(text, MAX_RESULT), *time));
                Vec::new()
            }
            Event::ApprovalAsked { step, .. } | Event::CallStarted { step, .. } => {
                self.text(*step).into_iter().collect()
            }
            Event::CallFinished { step, call, result, time, raw, .. } => {
                let result = one_line(&result.content, MAX_RESULT);
                let call = format!(
                    "[step {step}] {} -> {result} ({})",
                    called(call, raw.as_ref()),
                    shown(*time)
                );
                self.text(*step).into_iter().chain([call]).collect()
            }
            Event::Stopped { stop: StopReason::Answered, counts, .. } => {
                let time = self.reply.take().map_or(Duration::ZERO, |(_, time)| time);
                vec![format!("[step {}] answer ({})", counts.steps, shown(time))]
            }
            Event::Stopped { counts, .. } => self.text(counts.steps).into_iter().collect(),
            Event::ContextCut { step, results_cut, turns_dropped, tokens_before, tokens_after } => {
                vec![format!(
                    "[step {step}] to save room: {results_cut} results cut, {turns_dropped} turns left out \
                 (about {tokens_before} -> {tokens_after} tokens)"
                )]
            }
            Event::Retry { step, wait, error, .. } => {
                vec![format!("[step {step}] asking again in {}: {error}", shown(*wait))]
            }
            _ => Vec::new(),
        }
    }

    /// The text of the last reply has been shown otherwise.
    pub(crate) fn text_is_shown(&mut self) {
        if let Some((text, _)) = &mut self.reply {
            text.clear();
        }
    }

    /// The text of the last reply, once it is known not to be the answer.
    fn text(&mut self, step: u32) -> Option<String> {
        let (text, time) = self.reply.take().filter(|(text, _)| !text.is_empty())?;
        Some(format!("[step {step}] text: {text} ({})", shown(time)))
    }
}

/// A call as the model made it; `raw` are its arguments where they could not be read.
fn called(call: &ToolCall, raw: Option<&Value>) -> String {
    let arguments = match raw {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => call.arguments.to_string(),
    };
    format!("{}({})", one_line(&call.name, MAX_RESULT), one_line(&arguments, MAX_ARGUMENTS))
}

/// `text` on one line of at most `max` characters, without what could drive a terminal.
fn one_line(text: &str, max: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let mut line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(max) {
        line.truncate(end);
        if let Some(space) = line.rfind(' ').filter(|space| *space > end / 2) {
            line.truncate(space);
        }
        line.push_str(" …");
    }
    line
}

/// A time, for people to read.
pub(crate) fn shown(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{:.1} ms", time.as_secs_f64() * 1e3)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use agent_core::model::FinishReason;
    use agent_core::{Arguments, Counts, Event, StopReason, ToolCall, ToolResult, Usage};
    use serde_json::{Value, json};

    use super::{Steps, one_line};

    const TIME: Duration = Duration::from_micros(400);

    fn replied(text: &str) -> Event {
        let (text, finish, usage) = (text.to_owned(), FinishReason::Stop, Usage::default());
        Event::Replied { step: 2, text, reasoning: None, finish, usage, time: TIME }
    }

    /// The lines for a call of `read_doc` with the result `content`.
    fn called(steps: &mut Steps, content: &str, raw: Option<&Value>) -> Vec<String> {
        let arguments: Arguments = [("path".to_owned(), json!("a.md"))].into_iter().collect();
        let call = ToolCall { id: "c1".into(), name: "read_doc".into(), arguments };
        let (call_id, name) = (call.id.clone(), call.name.clone());
        let result = ToolResult { call_id, name, content: content.into(), is_error: false };
        steps.told(&Event::CallFinished {
            step: 2,
            call,
            result,
            time: TIME,
            raw: raw.cloned(),
            notes: Vec::new(),
        })
    }

    #[test]
    fn a_call_is_one_line_with_its_result_and_time() {
        assert_eq!(
            called(&mut Steps::default(), "1: Lamps\n2: are bright", None),
            [r#"[step 2] read_doc({"path":"a.md"}) -> 1: Lamps 2: are bright (0.4 ms)"#]
        );
    }

    #[test]
    fn a_cut_is_one_line_with_what_it_saved() {
        let (results_cut, turns_dropped) = (5, 2);
        let (step, tokens_before, tokens_after) = (9, 98_000, 61_000);
        let cut =
            Event::ContextCut { step, results_cut, turns_dropped, tokens_before, tokens_after };
        assert_eq!(
            Steps::default().told(&cut),
            [
                "[step 9] to save room: 5 results cut, 2 turns left out (about 98000 -> 61000 tokens)"
            ]
        );
    }

    #[test]
    fn arguments_that_could_not_be_read_are_shown_as_they_came() {
        let lines = called(&mut Steps::default(), "error(..)", Some(&json!("{\"path\":\n")));
        assert_eq!(lines, [r#"[step 2] read_doc({"path":) -> error(..) (0.4 ms)"#]);
    }

    #[test]
    fn text_is_shown_beside_calls_and_is_not_repeated_when_it_is_the_answer() {
        let mut steps = Steps::default();
        assert!(steps.told(&replied("I will read.")).is_empty());
        let lines = called(&mut steps, "", None);
        assert_eq!(lines[0], "[step 2] text: I will read. (0.4 ms)");
        assert_eq!(called(&mut steps, "", None).len(), 1);

        steps.told(&replied("The answer."));
        let (stop, counts) = (StopReason::Answered, Counts::default());
        let lines = steps.told(&Event::Stopped { stop, counts, error: None });
        assert_eq!(lines, ["[step 0] answer (0.4 ms)"]);
    }

    #[test]
    fn a_long_text_is_cut_at_a_word_where_one_is_near() {
        assert_eq!(one_line("one two three", 9), "one two …");
        assert_eq!(one_line("日本語日本語", 4), "日本語日 …");
        assert_eq!(one_line("exact", 5), "exact");
        assert_eq!(one_line("a abcdefghijklmnop", 9), "a abcdefg …");
    }

    #[test]
    fn nothing_in_a_text_drives_the_terminal() {
        assert_eq!(one_line("\u{1b}[31mred\u{7}\r\n\tend\u{9b}2J", 80), "[31mred end 2J");
    }
}
