//! Orders the sections that were read by how well they fit the question.

use std::collections::BTreeMap;

use super::evidence::{Evidence, TermEvidence};
use super::markdown::is_release;
use super::matcher::Matcher;
use super::notes::Notes;
use super::outline::{Section, sections};
use super::question::Question;

/// How fast repeating a word stops counting, as in BM25.
const SATURATION: f64 = 1.2;
/// How much more often a longer section must repeat a word, as in BM25.
const LENGTH: f64 = 0.5;
const USUAL_LENGTH: f64 = 120.0;
/// What a word counts, beside one in the text, in the titles around it and where it is defined.
const IN_HEADING: f64 = 1.8;
const ABOVE: f64 = 1.4;
const IN_DEFINITION: f64 = 2.5;
/// What words count in addition that stand side by side, or close.
const PAIRS: f64 = 0.4;
const CLOSE: f64 = 0.6;
/// How surely a section speaks of what only the titles above it name.
const IMPLIED: f64 = 0.8;
/// How much of the score hangs on the share of the question that is covered.
const COVERAGE: f64 = 0.7;
/// How much a section loses for each word that its titles have and the question has not.
const FOREIGN: f64 = 0.02;
/// An example tells how, a list tells what kinds.
const SHOWS: f64 = 1.3;
const MANY_ITEMS: usize = 3;
/// A release note tells what changed, seldom how a thing is.
const RELEASE: f64 = 0.6;
/// Further sections of one page give way to other pages that fit about as well.
const AGAIN: f64 = 0.9;
const MAX_AGAIN: u8 = 3;

/// A section and how well it fits.
#[derive(Debug, Clone)]
pub(crate) struct Ranked<'a> {
    pub(crate) section: Section<'a>,
    pub(crate) score: f64,
    /// The share of the question, by weight, that the section speaks of.
    pub(crate) coverage: f64,
}

/// The sections that were read and hold words of the question, the best first.
pub(crate) fn rank<'a>(matcher: &Matcher<'_>, notes: &'a Notes) -> Vec<Ranked<'a>> {
    let all = notes.pages.iter().flat_map(|(path, page)| sections(path, page));
    let ranked = all.map(|section| fit(matcher, section));
    let mut ranked: Vec<Ranked<'a>> = ranked.filter(|ranked| ranked.score > 0.0).collect();
    sort(&mut ranked);
    let mut seen: BTreeMap<&str, u8> = BTreeMap::new();
    for ranked in &mut ranked {
        let times = seen.entry(ranked.section.path).or_default();
        ranked.score *= AGAIN.powi((*times).into());
        *times = (*times + 1).min(MAX_AGAIN);
    }
    sort(&mut ranked);
    ranked
}

fn sort(ranked: &mut [Ranked<'_>]) {
    ranked.sort_by(|one, other| other.score.total_cmp(&one.score));
}

fn fit<'a>(matcher: &Matcher<'_>, section: Section<'a>) -> Ranked<'a> {
    let evidence = Evidence::read(matcher, &section);
    let coverage = coverage(matcher, &evidence);
    let pairs = evidence.pairs + 2.0 * evidence.pairs_in_heading;
    let score = words(matcher, &evidence) + PAIRS * pairs + CLOSE * evidence.close;
    let share = 1.0 - COVERAGE * (1.0 - coverage);
    let score = score * share * bearing(matcher.question, &section, &evidence);
    Ranked { section, score, coverage }
}

/// How much the section speaks of each word of the question.
fn words(matcher: &Matcher<'_>, evidence: &Evidence) -> f64 {
    let length = 1.0 - LENGTH + LENGTH * evidence.length as f64 / USUAL_LENGTH;
    let word = |term: &TermEvidence| {
        let in_text = term.count * (SATURATION + 1.0) / (term.count + SATURATION * length);
        let in_titles = f64::max(IN_HEADING * evidence.focus * term.in_heading, ABOVE * term.above);
        in_text + in_titles.max(IN_DEFINITION * term.in_definition)
    };
    evidence.terms.iter().zip(matcher.weights()).map(|(term, weight)| weight * word(term)).sum()
}

fn coverage(matcher: &Matcher<'_>, evidence: &Evidence) -> f64 {
    let surely =
        |term: &TermEvidence| term.count.min(1.0).max(term.in_heading).max(IMPLIED * term.above);
    let terms = evidence.terms.iter().zip(matcher.weights());
    let covered: f64 = terms.map(|(term, weight)| weight * surely(term)).sum();
    covered / matcher.total().max(f64::MIN_POSITIVE)
}

/// Whether it is the kind of section that answers such a question.
fn bearing(question: &Question, section: &Section<'_>, evidence: &Evidence) -> f64 {
    let shows_how = question.asks_how && evidence.has_code;
    let shows_kinds = question.asks_kinds && evidence.items >= MANY_ITEMS;
    let is_release = !question.names_number() && section.headings().any(is_release);
    let factors = [(shows_how, SHOWS), (shows_kinds, SHOWS), (is_release, RELEASE)];
    let factors = factors.into_iter().filter(|(applies, _)| *applies).map(|(_, factor)| factor);
    factors.product::<f64>() / (1.0 + FOREIGN * evidence.foreign as f64)
}
