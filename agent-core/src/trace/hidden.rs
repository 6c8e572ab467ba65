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
            if !cuts.is_empty() {
                spans.extend(beginnings(hidden, text, &cuts));
            }
        }
        spans
    }
}

/// Where in `text` a beginning of `hidden` ends at one of the `cuts`, the longest for each. Both texts
/// are read once, as Knuth, Morris and Pratt do, whatever repeats in them.
fn beginnings(hidden: &str, text: &str, cuts: &[usize]) -> Vec<Range<usize>> {
    let mut borders = vec![0];
    let mut length = 0;
    for byte in hidden.bytes().skip(1) {
        length = longer(hidden, &borders, length, byte);
        borders.push(length);
    }
    let mut length = 0;
    let ends = text.bytes().map(|byte| {
        length = longer(hidden, &borders, length, byte);
        length
    });
    let ends: Vec<usize> = ends.collect();
    let span = |cut: &usize| {
        let length = *ends.get(cut.checked_sub(1)?)?;
        hidden.get(..length)?.chars().nth(SHORTEST - 1)?;
        Some(cut.checked_sub(length)?..*cut)
    };
    cuts.iter().filter_map(span).collect()
}

/// The length in bytes of the longest beginning of `hidden` that ends with `byte`, after one of
/// `length` before it. `borders` has for each beginning the longest shorter one that it ends with.
fn longer(hidden: &str, borders: &[usize], mut length: usize, byte: u8) -> usize {
    while hidden.as_bytes().get(length) != Some(&byte) {
        let Some(border) = length.checked_sub(1).and_then(|last| borders.get(last)) else {
            return 0;
        };
        length = *border;
    }
    length + 1
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

#[cfg(test)]
mod tests {
    use super::{Hidden, SHORTEST};

    #[test]
    fn the_longest_beginning_before_a_cut_is_found_whatever_repeats() {
        let texts = ["aabaab", "abab", "aaaa", "日本日本語", "xaab", "……a……"];
        for hidden in ["aabaabc", "ababac", "aaaaaa", "日本日本語日", "……a……b"] {
            let mut one = Hidden::default();
            one.add_text(hidden);
            for text in texts {
                let cut = format!("{text}…");
                let lengths = hidden.char_indices().map(|(place, _)| place).skip(SHORTEST);
                let longest = lengths.filter(|length| text.ends_with(&hidden[..*length])).last();
                let expected = longest.map(|length| text.len() - length..text.len());
                let found = one.spans(&cut);
                assert!(expected.is_none_or(|span| found.contains(&span)), "{hidden} in {cut}");
            }
        }
    }

    #[test]
    fn a_text_of_nothing_but_cuts_is_read_in_time() {
        let text = "…".repeat(20_000);
        let mut hidden = Hidden::default();
        hidden.add_text(&text);
        assert_eq!(hidden.spans(&text).len(), 1 + 20_000 - SHORTEST);
    }
}
