//! Cuts text of any script into words that can be compared.

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// As written, in lower case.
    pub(crate) text: String,
    /// The stem of the whole, then those of its parts where it has several (`some_name`, `someName`).
    pub(crate) stems: Vec<String>,
    /// Where it stands in the text, in bytes.
    pub(crate) span: Range<usize>,
}

impl Word {
    fn new(text: &str, span: Range<usize>) -> Self {
        let written = text.get(span.clone()).unwrap_or_default();
        let lower = written.to_lowercase();
        let whole: String = lower.chars().filter(|c| !is_joint(*c)).collect();
        let mut stems = vec![stem(&whole)];
        let parts = parts(written);
        if parts.len() > 1 {
            stems.extend(parts.iter().map(|part| stem(&part.to_lowercase())));
        }
        Self { text: lower, stems, span }
    }

    /// The stem of the whole word.
    pub(crate) fn stem(&self) -> &str {
        self.stems.first().map_or("", String::as_str)
    }
}

/// The words of a text, in order.
///
/// Scripts that put no spaces between words give overlapping pairs of characters instead: a pair
/// finds a word wherever it begins.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let pieces = pieces(text);
    let mut words = Vec::with_capacity(pieces.len());
    let mut in_run = false;
    for (index, piece) in pieces.iter().enumerate() {
        let runs_on = |next: &&Range<usize>| {
            next.start == piece.end && is_unspaced_at(text, piece) && is_unspaced_at(text, next)
        };
        match pieces.get(index + 1).filter(runs_on) {
            Some(next) => {
                words.push(Word::new(text, piece.start..next.end));
                in_run = true;
            }
            None => {
                // The last character of a run is in the pair before it.
                if !in_run {
                    words.push(Word::new(text, piece.clone()));
                }
                in_run = false;
            }
        }
    }
    words
}

/// Characters of scripts that write words without spaces, or glue particles to them.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF // Thai, Lao
        | 0x1000..=0x109F // Burmese
        | 0x1780..=0x17FF // Khmer
        | 0x3040..=0x30FF // Japanese
        | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF // Chinese characters
        | 0xAC00..=0xD7AF // Korean
    )
}

fn is_unspaced_at(text: &str, piece: &Range<usize>) -> bool {
    text.get(piece.start..).and_then(|rest| rest.chars().next()).is_some_and(is_unspaced)
}

/// Words as Unicode cuts them, but a number stays with the name before it (`utf-8`), and scripts
/// without spaces are cut into characters.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for (start, piece) in text.unicode_word_indices() {
        let span = start..start + piece.len();
        if is_unspaced_at(text, &span) {
            let chars = piece.char_indices();
            pieces.extend(chars.map(|(at, c)| start + at..start + at + c.len_utf8()));
            continue;
        }
        match pieces.last_mut() {
            Some(last) if is_numbered(text, last, piece, start) => last.end = span.end,
            _ => pieces.push(span),
        }
    }
    pieces
}

fn is_numbered(text: &str, name: &Range<usize>, number: &str, start: usize) -> bool {
    number.starts_with(|c: char| c.is_ascii_digit())
        && matches!(text.get(name.end..start), Some("-" | "/"))
        && !is_unspaced_at(text, name)
}

/// Signs that join the parts of one name.
fn is_joint(c: char) -> bool {
    c.is_ascii() && !c.is_ascii_alphanumeric()
}

/// The parts of a name, by its joints and its capitals.
fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for piece in word.split(is_joint) {
        let mut start = 0;
        let mut after_lower = false;
        for (at, c) in piece.char_indices() {
            if c.is_uppercase() && after_lower {
                parts.extend(piece.get(start..at));
                start = at;
            }
            after_lower = c.is_lowercase();
        }
        parts.extend(piece.get(start..));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// What the forms of one word have in common. The script tells the language.
fn stem(word: &str) -> String {
    let algorithm = match word.chars().next().map_or(0, u32::from) {
        0x0370..=0x03FF => Algorithm::Greek,
        0x0400..=0x04FF => Algorithm::Russian,
        0x0600..=0x06FF => Algorithm::Arabic,
        _ => Algorithm::English,
    };
    let regular =
        IRREGULAR.iter().find(|(_, forms)| forms.contains(&word)).map_or(word, |(verb, _)| verb);
    let stem = Stemmer::create(algorithm).stem(regular);
    match &*stem {
        // Who asks for the kinds of a thing may find its types.
        "type" | "sort" => KIND.to_owned(),
        other => other.to_owned(),
    }
}

/// The stem of the words that ask what kinds of a thing there are.
pub(crate) const KIND: &str = "kind";

/// English verbs and those of their forms that no rule leads to.
const IRREGULAR: &[(&str, &[&str])] = &[
    ("begin", &["began", "begun"]),
    ("break", &["broke", "broken"]),
    ("build", &["built"]),
    ("buy", &["bought"]),
    ("catch", &["caught"]),
    ("choose", &["chose", "chosen"]),
    ("do", &["done"]),
    ("draw", &["drew", "drawn"]),
    ("find", &["found"]),
    ("get", &["got", "gotten"]),
    ("give", &["gave", "given"]),
    ("go", &["went", "gone"]),
    ("hide", &["hid", "hidden"]),
    ("hold", &["held"]),
    ("keep", &["kept"]),
    ("know", &["knew", "known"]),
    ("lose", &["lost"]),
    ("make", &["made"]),
    ("mean", &["meant"]),
    ("run", &["ran"]),
    ("send", &["sent"]),
    ("show", &["shown"]),
    ("spend", &["spent"]),
    ("take", &["took", "taken"]),
    ("tell", &["told"]),
    ("throw", &["threw", "thrown"]),
    ("understand", &["understood"]),
    ("write", &["wrote", "written"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| word.stem().to_owned()).collect()
    }

    #[test]
    fn the_forms_of_a_word_have_one_stem() {
        for forms in [
            "paint painting painted paints",
            "copy copies copying",
            "wrote writing",
            "types kinds sort",
        ] {
            let stems = stems(forms);
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{stems:?}");
        }
        assert_eq!(stems("книги книга"), ["книг", "книг"]);
    }

    #[test]
    fn a_name_is_met_whole_and_in_its_parts() {
        for name in ["red_green", "redGreen", "red.green"] {
            assert_eq!(words(name)[0].stems, ["redgreen", "red", "green"], "{name}");
        }
        assert_eq!(words("UTF-8")[0].stems, ["utf8", "utf", "8"]);
        assert_eq!(stems("left-handed"), ["left", "hand"]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs_of_characters() {
        let texts = |text| words(text).into_iter().map(|word| word.text).collect::<Vec<_>>();
        assert_eq!(texts("天気予報 ok 雨"), ["天気", "気予", "予報", "ok", "雨"]);
        assert_eq!(texts("비가 와요"), ["비가", "와요"]);
    }

    #[test]
    fn a_word_knows_where_it_stands() {
        let text = "«Größe» 🎈 naïve";
        let found: Vec<&str> = words(text).iter().map(|word| &text[word.span.clone()]).collect();
        assert_eq!(found, ["Größe", "naïve"]);
    }
}
