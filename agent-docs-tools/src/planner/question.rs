//! What a question asks for: its search words.

use super::stop_words::{UNSPACED_STOP_WORDS, is_stop_word, is_weak};
use super::words::{Word, is_unspaced, words};

/// More than these would add noise rather than aim.
const MAX_TERMS: usize = 12;
const MAX_PHRASES: usize = 6;
/// A question is read up to here, in characters.
const MAX_CHARS: usize = 2_000;

/// A question, as far as a search needs to understand it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// Its words, each once, in the order they were asked.
    pub(crate) terms: Vec<Term>,
    /// Runs of words to look for as they stand.
    pub(crate) phrases: Vec<String>,
    /// Terms that stand side by side, as indices of `terms`.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// Whether it asks for several things.
    pub(crate) enumerates: bool,
    pub(crate) how: bool,
}

/// One word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) stem: String,
    /// As the question has it, in lower case.
    pub(crate) text: String,
    /// What to search for, so that the other forms of the word are found as well.
    pub(crate) keywords: Vec<String>,
    /// Whether most questions could hold this word.
    pub(crate) weak: bool,
}

impl Term {
    fn new(word: &Word) -> Self {
        Self {
            stem: word.stem().to_owned(),
            text: word.text.clone(),
            keywords: keywords(word),
            weak: is_weak(&word.text),
        }
    }
}

impl Question {
    /// Reads a question of any length, in any language.
    pub(crate) fn parse(text: &str) -> Self {
        let text: String = text.chars().take(MAX_CHARS).collect::<String>().replace('’', "'");
        let text = blank_unspaced_stop_words(text);
        let mut question = Self { phrases: quoted(&text), ..Self::default() };
        question.phrases.extend(unspaced_runs(&text));
        let mut before: Option<(usize, Word)> = None;
        for word in words(&text).into_iter().filter(|word| !is_stop_word(&word.text)) {
            let Some(term) = question.add(&word) else { continue };
            if let Some((other, other_word)) = &before {
                question.pair((*other, term), phrases(&text, other_word, &word));
            }
            before = Some((term, word));
        }
        question.how = text.trim_start().to_lowercase().starts_with("how ");
        question.enumerates = words(&text).iter().any(|word| matches!(word.stem(), "kind" | "type" | "sort"));
        question.phrases.dedup();
        question.phrases.truncate(MAX_PHRASES);
        question
    }

    /// The index of a word's term, new or known; none if there are too many.
    fn add(&mut self, word: &Word) -> Option<usize> {
        if let Some(known) = self.terms.iter().position(|term| term.stem == word.stem()) {
            return Some(known);
        }
        if self.terms.len() == MAX_TERMS {
            return None;
        }
        self.terms.push(Term::new(word));
        Some(self.terms.len() - 1)
    }

    fn pair(&mut self, pair: (usize, usize), phrases: Vec<String>) {
        if pair.0 == pair.1 || phrases.is_empty() || self.pairs.contains(&pair) {
            return;
        }
        self.pairs.push(pair);
        self.phrases.extend(phrases);
    }
}

/// Two neighbours of a question as a text may have them: as asked, and without the stop words between.
fn phrases(text: &str, first: &Word, second: &Word) -> Vec<String> {
    let between = text.get(first.span.end..second.span.start).unwrap_or(".");
    if between.len() > 16 || between.contains(['.', '?', '!', ';', ':', ',', '(', ')', '"', '`']) {
        return Vec::new();
    }
    let end = keywords(second).into_iter().next().unwrap_or_default();
    let mut phrases = vec![format!("{}{}{end}", first.text, between.to_lowercase())];
    if between.contains(char::is_alphabetic) {
        phrases.push(format!("{} {end}", first.text));
    }
    phrases
}

/// A piece of the word that its other forms share, and the spellings of a name that holds a number.
fn keywords(word: &Word) -> Vec<String> {
    let is_name = word.text.contains(|c: char| !c.is_alphanumeric() && c != '\'');
    if is_name {
        let joined: String = word.text.chars().filter(|c| c.is_alphanumeric()).collect();
        let has_number = joined.contains(|c: char| c.is_numeric());
        return if has_number { vec![word.text.clone(), joined] } else { vec![word.text.clone()] };
    }
    let common = word.text.chars().zip(word.stem().chars()).take_while(|(a, b)| a == b).count();
    let keyword = if common >= 3 { word.text.chars().take(common).collect() } else { word.text.clone() };
    vec![keyword]
}

/// What the question sets in double quotes or backticks.
fn quoted(text: &str) -> Vec<String> {
    let mut quoted = Vec::new();
    for quotes in [('"', '"'), ('`', '`'), ('“', '”'), ('«', '»'), ('「', '」')] {
        let mut rest = text;
        while let Some((_, after)) = rest.split_once(quotes.0) {
            let Some((inside, after)) = after.split_once(quotes.1) else { break };
            let inside = inside.trim();
            if (2..=60).contains(&inside.chars().count()) {
                quoted.push(inside.to_lowercase());
            }
            rest = after;
        }
    }
    quoted
}

/// Runs of three characters or more of a script without spaces; pairs are searched as words anyway.
fn unspaced_runs(text: &str) -> Vec<String> {
    text.split(|c| !is_unspaced(c)).filter(|run| run.chars().count() > 2).map(str::to_owned).collect()
}

/// Puts spaces where a script without spaces has its stop words.
fn blank_unspaced_stop_words(text: String) -> String {
    if !text.contains(is_unspaced) {
        return text;
    }
    UNSPACED_STOP_WORDS.iter().fold(text, |text, stop_word| text.replace(stop_word, " "))
}
