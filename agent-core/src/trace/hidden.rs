//! Texts that are not to be seen, and where they stand in others.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Number, Value};

/// Stands for what is hidden.
pub(super) const MASK: &str = "***";

/// In characters. What is shorter is in every text, and hiding it there would hide the text.
const SHORTEST: usize = 3;

/// How results and reports begin to say that they are cut.
const CUTS: [&str; 2] = ["…", "\n[cut: "];

/// Texts that are not to be seen.
#[derive(Default)]
pub(super) struct Hidden(BTreeSet<String>);

impl Hidden {
    /// Hides every text and number in a value, in each spelling that a tool may give back.
    pub(super) fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) => {
                self.add_text(text);
                self.add_decoded(text.trim());
            }
            Value::Number(number) => self.add_number(number),
            Value::Array(values) => values.iter().for_each(|value| self.add(value)),
            Value::Object(map) => map.values().for_each(|value| self.add(value)),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Hides a text, as it is and as JSON and Rust quote it.
    pub(super) fn add_text(&mut self, text: &str) {
        let unquoted = |quoted: String| {
            let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            inner.unwrap_or(&quoted).to_owned()
        };
        let json = unquoted(Value::from(text).to_string());
        for text in [text.to_owned(), text.trim().to_owned(), json, unquoted(format!("{text:?}"))] {
            if text.chars().nth(SHORTEST - 1).is_some() {
                self.0.insert(text);
            }
        }
    }

    /// A number in text, and a list or an object in text, are read as such by a tool.
    fn add_decoded(&mut self, text: &str) {
        if text.starts_with(['[', '{'])
            && let Ok(value) = serde_json::from_str(text)
        {
            self.add(&value);
        } else if let Ok(number) = text.parse::<Number>() {
            self.add_number(&number);
        }
    }

    /// A number that is whole may be read as an integer.
    fn add_number(&mut self, number: &Number) {
        self.add_text(&number.to_string());
        if let Some(float) = number.as_f64().filter(|float| float.fract() == 0.0) {
            self.add_text(&format!("{float}"));
        }
    }

    /// Where the texts stand in `text`, and where one begins that was cut off.
    pub(super) fn spans(&self, text: &str) -> Vec<Range<usize>> {
        let cuts: Vec<usize> =
            CUTS.iter().flat_map(|cut| text.match_indices(cut)).map(|(place, _)| place).collect();
        let mut spans = Vec::new();
        for hidden in &self.0 {
            spans.extend(text.match_indices(hidden.as_str()).map(|(at, _)| at..at + hidden.len()));
            spans.extend(
                cuts.iter().filter_map(|cut| {
                    Some(cut - longest_beginning(hidden, text.get(..*cut)?)?..*cut)
                }),
            );
        }
        spans
    }
}

/// The length in bytes of the longest beginning of `hidden` with which `text` ends.
fn longest_beginning(hidden: &str, text: &str) -> Option<usize> {
    let lengths = hidden.char_indices().map(|(place, _)| place).skip(SHORTEST);
    let ends = |length: &usize| hidden.get(..*length).is_some_and(|start| text.ends_with(start));
    lengths.take_while(|length| *length <= text.len()).filter(ends).last()
}

/// `text` with one mask over each stretch of `spans`, which may overlap.
pub(super) fn cover(text: &str, mut spans: Vec<Range<usize>>) -> Cow<'_, str> {
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    spans.sort_by_key(|span| span.start);
    let mut shown = String::with_capacity(text.len());
    let mut end = None;
    for span in spans {
        if end.is_none_or(|end| span.start > end) {
            shown += text.get(end.unwrap_or(0)..span.start).unwrap_or_default();
            shown += MASK;
        }
        end = end.max(Some(span.end));
    }
    shown += text.get(end.unwrap_or(0)..).unwrap_or_default();
    Cow::Owned(shown)
}
