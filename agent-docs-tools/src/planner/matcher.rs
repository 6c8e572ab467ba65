//! Finds the words of a question in text, and weighs them.

use std::collections::HashMap;

use super::notes::Notes;
use super::question::{Question, Term};
use super::words::{Word, words};

/// A word of the question met in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Met {
    /// Which term of the question.
    pub(crate) term: usize,
    /// How surely it is the same word, from 0 to 1.
    pub(crate) likeness: f64,
    /// Where it stands among the words of the text.
    pub(crate) position: usize,
}

/// The words of a question, with the weight that each has in these documents.
#[derive(Debug)]
pub(crate) struct Matcher {
    terms: HashMap<String, usize>,
    /// The weight of each term: rare ones count more.
    pub(crate) weights: Vec<f64>,
    pub(crate) pairs: Vec<(usize, usize)>,
    pub(crate) enumerates: bool,
    pub(crate) how: bool,
}

/// How alike a word and its abbreviation are.
const ABBREVIATED: f64 = 0.5;

impl Matcher {
    pub(crate) fn new(question: &Question, notes: &Notes) -> Self {
        let mut matcher = Self {
            terms: question.terms.iter().enumerate().map(|(index, term)| (term.stem.clone(), index)).collect(),
            weights: Vec::new(),
            pairs: question.pairs.clone(),
            enumerates: question.enumerates,
            how: question.how,
        };
        matcher.weights = question.terms.iter().enumerate().map(|(index, term)| matcher.weight(index, term, notes)).collect();
        matcher
    }

    pub(crate) fn is_kind(&self, term: usize) -> bool { self.terms.get("kind") == Some(&term) }

    /// The weight of everything the question asks.
    pub(crate) fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    pub(crate) fn weight_of(&self, term: usize) -> f64 {
        self.weights.get(term).copied().unwrap_or(0.0)
    }

    /// The words of the question in a text, in order.
    pub(crate) fn find(&self, text: &str) -> Vec<Met> {
        let words = words(text);
        let met = words.iter().enumerate().flat_map(|(position, word)| self.meet(word, position));
        met.collect()
    }

    fn meet(&self, word: &Word, position: usize) -> Vec<Met> {
        let exact = word.stems.iter().filter_map(|stem| self.terms.get(stem));
        let mut met: Vec<Met> = exact.map(|&term| Met { term, likeness: 1.0, position }).collect();
        met.dedup_by_key(|met| met.term);
        if met.is_empty() {
            let alike = self.terms.iter().find(|(stem, _)| word.stems.iter().any(|other| is_abbreviation(stem, other)));
            met.extend(alike.map(|(_, &term)| Met { term, likeness: ABBREVIATED, position }));
        }
        met
    }

    /// Rare words tell places apart; the hits of the searches say how rare a word is.
    fn weight(&self, index: usize, term: &Term, notes: &Notes) -> f64 {
        let lines = 100.0 + 40.0 * notes.files as f64;
        let searches: Vec<_> = term.keywords.iter().filter_map(|keyword| notes.searches.get(keyword)).collect();
        if searches.is_empty() {
            return if term.weak { 1.0 } else { 2.0 };
        }
        let mut count = 0.0;
        for found in searches {
            let real = found.hits.iter().filter(|hit| {
                hit.text.contains('…') || self.find(&hit.text).iter().any(|met| met.term == index)
            });
            let share = real.count() as f64 / (found.hits.len() as f64).max(1.0);
            count += share * (found.hits.len() + found.more) as f64;
        }
        let mut weight = (1.0 + lines / (1.0 + count)).ln();
        let in_path = notes.paths.iter().any(|path| self.find(path).iter().any(|met| met.term == index));
        let in_heading = term.keywords.iter().filter_map(|keyword| notes.searches.get(keyword)).flat_map(|f| &f.hits).any(|hit| hit.text.starts_with('#') && self.find(&hit.text).iter().any(|met| met.term == index));
        weight *= if in_path { crate::knob::k("topic", 1.4) } else if in_heading { crate::knob::k("htopic", 1.2) } else { 1.0 };
        if term.weak { weight * 0.4 } else { weight }
    }
}

/// Whether one is the other cut short.
fn is_abbreviation(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.chars().count() >= 4 && long.starts_with(short)
}
