//! What a section has of the words of a question.

use super::matcher::{Matcher, Met};
use super::outline::Section;
use super::stop_words::is_stop_word;
use super::words::words;

/// What a word counts in code: an example shows much that it is not about.
const IN_CODE: f64 = 0.25;
/// How many lines are close together.
const CLOSE: usize = 3;

/// What a section has of the words of a question.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// What it has of each term.
    pub(crate) terms: Vec<TermEvidence>,
    /// How long it is, in words.
    pub(crate) length: usize,
    /// The weight of the words that stand side by side in one line of it, and in its heading.
    pub(crate) pairs: f64,
    pub(crate) pairs_in_heading: f64,
    /// The weight of the words that stand in a few lines of it.
    pub(crate) close: f64,
    /// How much of its heading speaks of the question, from a half to one.
    pub(crate) focus: f64,
    /// How many words of the path and the headings the question has not.
    pub(crate) foreign: usize,
    /// Items of lists and rows of tables.
    pub(crate) items: usize,
    pub(crate) has_code: bool,
}

/// What a section has of one word.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TermEvidence {
    /// How often it stands in the text.
    pub(crate) count: f64,
    /// How surely it stands in the heading, from 0 to 1.
    pub(crate) in_heading: f64,
    /// How surely it stands in the path or in a heading above.
    pub(crate) above: f64,
    /// How surely it stands where the thing asked for is defined.
    pub(crate) in_definition: f64,
}

impl Evidence {
    pub(crate) fn read(matcher: &Matcher<'_>, section: &Section<'_>) -> Self {
        let terms = vec![TermEvidence::default(); matcher.weights().len()];
        let mut evidence = Self { terms, ..Self::default() };
        evidence.read_heading(matcher, section.heading.as_deref().unwrap_or_default());
        let path = section.path.rsplit_once('.').map_or(section.path, |(path, _)| path);
        for text in std::iter::once(path).chain(section.above.iter().map(String::as_str)) {
            evidence.foreign += foreign(matcher, text).0;
            for met in matcher.find(text) {
                evidence.raise(&met, |term| &mut term.above);
            }
        }
        evidence.read_body(matcher, section);
        evidence
    }

    fn read_heading(&mut self, matcher: &Matcher<'_>, heading: &str) {
        let met = matcher.find(heading);
        let (foreign, words) = foreign(matcher, heading);
        self.foreign += foreign;
        self.focus = 1.0 - 0.5 * foreign as f64 / (words as f64).max(1.0);
        self.pairs_in_heading = matcher.weight_of_pairs(&met);
        for met in &met {
            self.raise(met, |term| &mut term.in_heading);
        }
    }

    fn read_body(&mut self, matcher: &Matcher<'_>, section: &Section<'_>) {
        let mut lines: Vec<Vec<Met>> = Vec::new();
        for line in section.body() {
            let met = matcher.find(line.text);
            let defines = matcher.defines(line.text);
            for met in &met {
                if let Some(term) = self.terms.get_mut(met.term) {
                    term.count += if line.is_code { IN_CODE * met.likeness } else { met.likeness };
                }
                if defines {
                    self.raise(met, |term| &mut term.in_definition);
                }
            }
            self.length += line.text.split_whitespace().count();
            self.pairs = self.pairs.max(matcher.weight_of_pairs(&met));
            self.items += usize::from(line.is_item());
            self.has_code |= line.is_code;
            lines.push(met);
        }
        let close = lines.windows(CLOSE.min(lines.len()).max(1));
        let weights = close.map(|lines| matcher.weight_of(lines.iter().flatten()));
        self.close = weights.fold(0.0, f64::max);
    }

    fn raise(&mut self, met: &Met, what: impl Fn(&mut TermEvidence) -> &mut f64) {
        if let Some(term) = self.terms.get_mut(met.term) {
            let likeness = what(term);
            *likeness = likeness.max(met.likeness);
        }
    }
}

/// How many words of a title the question has not, and how many there are.
fn foreign(matcher: &Matcher<'_>, title: &str) -> (usize, usize) {
    let words = words(title);
    let words: Vec<_> = words.iter().filter(|word| !is_stop_word(&word.text)).collect();
    (words.iter().filter(|word| !matcher.knows(word)).count(), words.len())
}
