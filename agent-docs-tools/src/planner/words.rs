//! Cuts text of any script into words that can be compared.

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

/// A word of a text, in the forms it can be met by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// As written, in lower case.
    pub(crate) text: String,
    /// The stem of the whole, then those of its parts where it has several (`read_timeout`, `readTimeout`).
    pub(crate) stems: Vec<String>,
    /// Where it stands in the text, in bytes.
    pub(crate) span: Range<usize>,
}

impl Word {
    fn new(text: &str, span: Range<usize>) -> Self {
        let written = text.get(span.clone()).unwrap_or_default();
        let whole: String = written.chars().filter(|c| c.is_alphanumeric() || !c.is_ascii()).collect();
        let mut stems = vec![stem(&whole.to_lowercase())];
        let parts = parts(written);
        if parts.len() > 1 {
            stems.extend(parts.iter().map(|part| stem(&part.to_lowercase())));
        }
        Self { text: written.to_lowercase(), stems, span }
    }

    /// The stem of the whole word.
    pub(crate) fn stem(&self) -> &str {
        self.stems.first().map_or("", String::as_str)
    }
}

/// The words of a text, in order.
///
/// Scripts that put no spaces between words give overlapping pairs of characters instead: a pair finds a word wherever
/// it begins.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let pieces = pieces(text);
    let unspaced: Vec<bool> = pieces.iter().map(|piece| starts_unspaced(text, piece)).collect();
    let mut words = Vec::with_capacity(pieces.len());
    let mut in_run = false;
    for (index, piece) in pieces.iter().enumerate() {
        let follows = match (pieces.get(index + 1), unspaced.get(index + 1)) {
            (Some(next), Some(true)) if unspaced[index] && next.start == piece.end => Some(next),
            _ => None,
        };
        match follows {
            Some(next) => words.push(Word::new(text, piece.start..next.end)),
            None if in_run => {}
            None => words.push(Word::new(text, piece.clone())),
        }
        in_run = follows.is_some();
    }
    words
}

/// Words as Unicode cuts them, with `HTTP/2` and `SHA-256` kept whole and unspaced scripts cut into characters.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for (start, piece) in text.unicode_word_indices() {
        let span = start..start + piece.len();
        if starts_unspaced(text, &span) {
            pieces.extend(piece.char_indices().map(|(at, c)| start + at..start + at + c.len_utf8()));
            continue;
        }
        match pieces.last_mut() {
            Some(last) if is_joined(text, last, &span) => last.end = span.end,
            _ => pieces.push(span),
        }
    }
    pieces
}

/// A number belongs to the name before it, `-` or `/` between them.
fn is_joined(text: &str, before: &Range<usize>, after: &Range<usize>) -> bool {
    let between = text.get(before.end..after.start);
    let is_number = text.get(after.clone()).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
    matches!(between, Some("/" | "-")) && is_number && !starts_unspaced(text, before)
}

fn starts_unspaced(text: &str, piece: &Range<usize>) -> bool {
    text.get(piece.clone()).and_then(|piece| piece.chars().next()).is_some_and(is_unspaced)
}

/// Characters of scripts that write words without spaces, or glue their particles to them.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF       // Thai, Lao
        | 0x1000..=0x109F     // Burmese
        | 0x1780..=0x17FF     // Khmer
        | 0x3040..=0x30FF     // Japanese
        | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF // Chinese characters
        | 0xAC00..=0xD7AF     // Korean
    )
}

/// `AsyncClient`, `read_timeout` and `docs.read` in their parts.
fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for piece in word.split(|c: char| !c.is_alphanumeric() && c.is_ascii()) {
        let mut start = 0;
        let mut before_is_lower = false;
        for (at, c) in piece.char_indices() {
            if c.is_uppercase() && before_is_lower {
                parts.extend(piece.get(start..at));
                start = at;
            }
            before_is_lower = c.is_lowercase();
        }
        parts.extend(piece.get(start..));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// What the forms of one word have in common.
fn stem(word: &str) -> String {
    let algorithm = match word.chars().next().map_or(0, u32::from) {
        0x0370..=0x03FF => Algorithm::Greek,
        0x0400..=0x04FF => Algorithm::Russian,
        0x0600..=0x06FF => Algorithm::Arabic,
        _ => Algorithm::English,
    };
    let stem = Stemmer::create(algorithm).stem(word).into_owned();
    if matches!(stem.as_str(), "type" | "sort") { "kind".to_owned() } else { stem }
}
