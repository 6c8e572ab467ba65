//! A call, as it is shown to the person who decides on it.

use std::fmt::Write;

use agent_core::{ToolCall, cut};

/// A longer argument is cut, and says so.
const MAX_CHARS: usize = 600;

/// A call that waits, one argument a line. What is secret in it is to be masked before.
pub(crate) fn shown(call: &ToolCall) -> String {
    let mut text = format!("{} waits for approval", visible(&call.name));
    if call.arguments.is_empty() {
        text.push_str("; it has no arguments");
    }
    for (name, value) in call.arguments.iter() {
        let value = visible(&value.to_string());
        text.extend(["\n  ", &visible(name), ": ", &cut(&value, MAX_CHARS)]);
    }
    text
}

/// The text with all that a terminal does not show as it stands written as escapes: what is allowed
/// must be what is seen.
fn visible(text: &str) -> String {
    text.chars().fold(String::new(), |mut seen, c| {
        if c.is_control() || is_invisible(c) {
            // Writing to a string cannot fail.
            write!(seen, "\\u{{{:x}}}", u32::from(c)).ok();
        } else {
            seen.push(c);
        }
        seen
    })
}

/// Characters without a width, and those that turn the order of what follows.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use agent_core::{Arguments, ToolCall};
    use serde_json::{Value, json};

    use super::shown;

    fn call(arguments: Value) -> ToolCall {
        let Value::Object(map) = arguments else { panic!("arguments are an object") };
        ToolCall { id: "c1".into(), name: "remove".into(), arguments: Arguments::from(map) }
    }

    #[test]
    fn each_argument_has_its_line() {
        assert_eq!(shown(&call(json!({}))), "remove waits for approval; it has no arguments");
        assert_eq!(
            shown(&call(json!({"path": "a b.txt", "deep": {"force": true}}))),
            "remove waits for approval\n  deep: {\"force\":true}\n  path: \"a b.txt\""
        );
    }

    #[test]
    fn nothing_in_it_hides_what_is_allowed() {
        let hostile = shown(&call(json!({"path": "a\u{1b}[2J\u{9b}1A\r\u{202e}txt\u{200b}"})));
        assert_eq!(
            hostile,
            "remove waits for approval\n  path: \"a\\u001b[2J\\u{9b}1A\\r\\u{202e}txt\\u{200b}\""
        );
    }

    #[test]
    fn a_long_argument_is_cut_and_says_so() {
        let long = shown(&call(json!({"text": "word ".repeat(1_000)})));
        assert!(long.chars().count() < 800 && long.contains("of 5002 characters"), "{long}");
    }
}
