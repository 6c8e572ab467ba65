//! Finds the words of a question in text, and weighs them.

use std::collections::BTreeMap;

use super::notes::Notes;
use super::question::{Question, Term};
use super::stop_words::is_number_word;
use super::words::{KIND, Word, words};

/// How alike a word and its abbreviation are.
const ABBREVIATED: f64 = 0.5;
/// How much `four` tells of what kinds there are.
const COUNTED: f64 = 0.7;
/// How much a word counts that most questions could hold.
const WEAK: f64 = 0.4;
/// How much more a word counts that a document is named for.
const TOPIC: f64 = 1.3;
/// In how many lines a word may stand that was not searched.
const UNSEARCHED: f64 = 100.0;
/// A word that stands nowhere weighs like one that stands in so many lines: others may say it.
const MISSING: f64 = 5.0;
/// How far apart words still stand side by side.
const SIDE_BY_SIDE: usize = 3;
/// What words count that stand side by side in a text but not in the question.
const UNASKED: f64 = 0.3;

/// A word of the question met in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Met {
    /// Which term of the question.
    pub(crate) term: usize,
    /// How surely it is the same word, from 0 to 1.
    pub(crate) likeness: f64,
    /// Where it stands among the words of the text.
    position: usize,
}

/// The words of a question, with the weight that each has in these documents.
#[derive(Debug)]
pub(crate) struct Matcher<'q> {
    pub(crate) question: &'q Question,
    terms: BTreeMap<&'q str, usize>,
    weights: Vec<f64>,
}

impl<'q> Matcher<'q> {
    pub(crate) fn new(question: &'q Question, notes: &Notes) -> Self {
        let terms = question.terms.iter().enumerate();
        let terms = terms.map(|(index, term)| (term.stem.as_str(), index)).collect();
        let mut matcher = Self { question, terms, weights: Vec::new() };
        let weights = question.terms.iter().enumerate();
        matcher.weights = weights.map(|(index, term)| matcher.weigh(index, term, notes)).collect();
        matcher
    }

    /// The weight of each term: rare ones count more.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The weight of the whole question.
    pub(crate) fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// The words of the question in a text, in order.
    pub(crate) fn find(&self, text: &str) -> Vec<Met> {
        let words = words(text);
        words.iter().enumerate().flat_map(|(position, word)| self.meet(word, position)).collect()
    }

    /// Whether a word is one of the question's, or like one.
    pub(crate) fn knows(&self, word: &Word) -> bool {
        !self.meet(word, 0).is_empty()
    }

    /// Whether a text says what the thing is that the question asks for.
    pub(crate) fn defines(&self, text: &str) -> bool {
        let Some(definition) = self.question.definition.as_deref() else { return false };
        let text = text.to_lowercase();
        let defined = text.split_once(definition).map(|(_, what)| what);
        let is_thing =
            |what: &str| [" a ", " an ", " the "].iter().any(|article| what.starts_with(article));
        defined.is_some_and(|what| definition.ends_with("are") || is_thing(what))
    }

    /// How surely each term is met, from 0 to 1.
    fn likenesses<'m>(&self, met: impl IntoIterator<Item = &'m Met>) -> Vec<f64> {
        let mut likenesses = vec![0.0; self.weights.len()];
        for met in met {
            if let Some(likeness) = likenesses.get_mut(met.term) {
                *likeness = f64::max(*likeness, met.likeness);
            }
        }
        likenesses
    }

    /// The weight of the terms that are met, each counted once.
    pub(crate) fn weight_of<'m>(&self, met: impl IntoIterator<Item = &'m Met>) -> f64 {
        let likenesses = self.likenesses(met);
        likenesses.iter().zip(&self.weights).map(|(likeness, weight)| likeness * weight).sum()
    }

    /// The weight of the terms that stand side by side in a text, above all as they do in the question.
    pub(crate) fn weight_of_pairs(&self, met: &[Met]) -> f64 {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for (index, one) in met.iter().enumerate() {
            let near = |other: &&Met| other.position.abs_diff(one.position) <= SIDE_BY_SIDE;
            let others = met.iter().skip(index + 1).take_while(near);
            pairs.extend(
                others
                    .filter(|other| other.term != one.term)
                    .map(|other| (one.term.min(other.term), one.term.max(other.term))),
            );
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().map(|pair| self.weight_of_pair(pair)).sum()
    }

    fn weight_of_pair(&self, (one, other): (usize, usize)) -> f64 {
        let pairs = &self.question.pairs;
        let is_asked = pairs.contains(&(one, other)) || pairs.contains(&(other, one));
        let weight = |term: usize| self.weights.get(term).copied().unwrap_or_default();
        (weight(one) + weight(other)) * if is_asked { 1.0 } else { UNASKED }
    }

    fn meet(&self, word: &Word, position: usize) -> Vec<Met> {
        let known = word.stems.iter().filter_map(|stem| self.terms.get(stem.as_str()));
        let mut met: Vec<Met> = known.map(|&term| Met { term, likeness: 1.0, position }).collect();
        met.dedup_by_key(|met| met.term);
        if met.is_empty() {
            met.extend(self.meet_alike(word).map(|(term, likeness)| Met {
                term,
                likeness,
                position,
            }));
        }
        met
    }

    fn meet_alike(&self, word: &Word) -> Option<(usize, f64)> {
        if is_number_word(&word.text) {
            return self.terms.get(KIND).map(|&term| (term, COUNTED));
        }
        let is_alike = |stem: &str| word.stems.iter().any(|other| is_abbreviation(stem, other));
        let alike = self.terms.iter().find(|(stem, _)| is_alike(stem));
        alike.map(|(_, &term)| (term, ABBREVIATED))
    }

    /// Rare words tell places apart; the hits of the searches say how rare a word is.
    fn weigh(&self, index: usize, term: &Term, notes: &Notes) -> f64 {
        let count = match self.count(index, term, notes) {
            // It may be the language that is missing here, not the subject.
            Some(0.0) if self.question.is_foreign => return 0.0,
            Some(0.0) => MISSING,
            Some(count) => count,
            None => UNSEARCHED,
        };
        let lines = 100.0 + 40.0 * notes.files as f64;
        let rarity = (1.0 + lines / (1.0 + count)).ln();
        let is_topic = notes.paths.iter().any(|path| self.holds(path, index));
        let weight = if is_topic { rarity * TOPIC } else { rarity };
        if term.is_weak { weight * WEAK } else { weight }
    }

    /// In how many lines a term stands, as far as that was searched. A keyword also finds other words
    /// that it is a part of: the hits that are shown tell their share.
    fn count(&self, index: usize, term: &Term, notes: &Notes) -> Option<f64> {
        let searches = term.keywords.iter().filter_map(|keyword| notes.searches.get(keyword));
        let counts = searches.map(|found| {
            let is_real = |text: &str| self.holds(text, index);
            let real = found.hits.iter().filter(|hit| hit.is_cut() || is_real(&hit.text)).count();
            let share = real as f64 / (found.hits.len() as f64).max(1.0);
            share * (found.hits.len() as f64 + found.more as f64)
        });
        counts.reduce(|one, other| one + other)
    }

    fn holds(&self, text: &str, term: usize) -> bool {
        self.find(text).iter().any(|met| met.term == term)
    }
}

/// Whether one is the other cut short.
fn is_abbreviation(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.chars().count() >= 4 && long.starts_with(short)
}
