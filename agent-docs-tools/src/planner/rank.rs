//! Orders the sections that were read by how well they fit the question.

use std::collections::BTreeMap;

use super::markdown::is_release;
use super::matcher::{Matcher, Met};
use super::notes::Notes;
use super::outline::{Section, sections};
use super::stop_words::is_stop_word;
use super::words::words;

/// How fast repeating a word stops counting, as in BM25.
const SATURATION: f64 = 1.2;
/// How much more often a longer section must repeat a word, as in BM25.
const LENGTH: f64 = 0.5;
const USUAL_WORDS: f64 = 120.0;
/// What a word counts in code: an example shows much that it is not about.
const IN_CODE: f64 = 0.25;
const IN_HEADING: f64 = 1.8;
/// What a word counts in the path or in a heading above.
const ABOVE: f64 = 1.4;
const IN_DEFINITION: f64 = 2.5;
const PAIRS: f64 = 0.4;
const CLOSE: f64 = 0.6;
/// How many lines are close together.
const CLOSE_LINES: usize = 3;
/// How much of the score hangs on the share of the question that is covered.
const COVERAGE: f64 = 0.7;
/// How much each word counts against a section that its headings have and the question has not.
const FOREIGN: f64 = 0.02;
/// An example tells how, a list tells what kinds.
const SHOWS: f64 = 1.3;
const MANY_ITEMS: usize = 3;
/// A release note says what changed, seldom how a thing is.
const RELEASE: f64 = 0.6;
/// Further sections of one page: they give way to other pages that fit about as well.
const AGAIN: f64 = 0.9;

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
    let mut ranked: Vec<Ranked<'a>> =
        all.map(|section| fit(matcher, section)).filter(|ranked| ranked.score > 0.0).collect();
    sort(&mut ranked);
    let mut seen: BTreeMap<&str, u8> = BTreeMap::new();
    for ranked in &mut ranked {
        let times = seen.entry(ranked.section.path).or_default();
        ranked.score *= AGAIN.powi((*times).into());
        *times = (*times + 1).min(3);
    }
    sort(&mut ranked);
    ranked
}

fn sort(ranked: &mut [Ranked<'_>]) {
    ranked.sort_by(|one, other| other.score.total_cmp(&one.score));
}

fn fit<'a>(matcher: &Matcher<'_>, section: Section<'a>) -> Ranked<'a> {
    let body = Body::read(matcher, &section);
    let heading = Title::read(matcher, section.heading.as_deref().unwrap_or_default());
    let path = section.path.rsplit_once('.').map_or(section.path, |(path, _)| path);
    let above: Vec<Title> = std::iter::once(path)
        .chain(section.above.iter().map(String::as_str))
        .map(|text| Title::read(matcher, text))
        .collect();
    let in_heading = matcher.likenesses(&heading.met);
    let in_above = matcher.likenesses(above.iter().flat_map(|title| &title.met));

    let (mut score, mut covered) = (0.0, 0.0);
    let in_titles = in_heading.iter().zip(&in_above).zip(&body.defined);
    for ((weight, count), ((in_heading, in_above), defined)) in
        matcher.weights().iter().zip(&body.counts).zip(in_titles)
    {
        let titled = (IN_HEADING * heading.focus() * in_heading)
            .max(ABOVE * in_above)
            .max(IN_DEFINITION * defined);
        score += weight * (body.frequency(*count) + titled);
        covered += weight * count.min(1.0).max(*in_heading).max(0.8 * in_above);
    }
    score +=
        PAIRS * (body.pairs + 2.0 * matcher.weight_of_pairs(&heading.met)) + CLOSE * body.close;
    let coverage = covered / matcher.total().max(f64::MIN_POSITIVE);
    score *= 1.0 - COVERAGE * (1.0 - coverage);
    if matcher.question.asks_kinds && body.items >= MANY_ITEMS {
        score *= SHOWS;
    }
    if matcher.question.asks_how && body.has_code {
        score *= SHOWS;
    }
    let asks_release =
        matcher.question.terms.iter().any(|term| term.text.contains(char::is_numeric));
    if !asks_release && section.headings().any(is_release) {
        score *= RELEASE;
    }
    let foreign: usize = heading.foreign + above.iter().map(|title| title.foreign).sum::<usize>();
    score /= 1.0 + FOREIGN * foreign as f64;
    Ranked { section, score, coverage }
}

/// What a heading or a path tells.
struct Title {
    met: Vec<Met>,
    words: usize,
    /// How many of its words the question has not.
    foreign: usize,
}

impl Title {
    fn read(matcher: &Matcher<'_>, text: &str) -> Self {
        let words: Vec<_> =
            words(text).into_iter().filter(|word| !is_stop_word(&word.text)).collect();
        let foreign = words.iter().filter(|word| matcher.find(&word.text).is_empty()).count();
        Self { met: matcher.find(text), words: words.len(), foreign }
    }

    /// How much of it speaks of the question, from a half to one.
    fn focus(&self) -> f64 {
        1.0 - 0.5 * self.foreign as f64 / (self.words as f64).max(1.0)
    }
}

/// What stands below a heading.
struct Body {
    /// How often each term is met.
    counts: Vec<f64>,
    /// How surely each term is met where the thing asked for is defined.
    defined: Vec<f64>,
    words: usize,
    /// The weight of the pairs in the best line.
    pairs: f64,
    /// The weight of the terms in the best few lines.
    close: f64,
    items: usize,
    has_code: bool,
}

impl Body {
    fn read(matcher: &Matcher<'_>, section: &Section<'_>) -> Self {
        let mut body = Self {
            counts: vec![0.0; matcher.weights().len()],
            defined: Vec::new(),
            words: 0,
            pairs: 0.0,
            close: 0.0,
            items: 0,
            has_code: false,
        };
        let mut lines: Vec<Vec<Met>> = Vec::new();
        let mut defining: Vec<Met> = Vec::new();
        for line in section.body() {
            let met = matcher.find(line.text);
            for met in &met {
                if let Some(count) = body.counts.get_mut(met.term) {
                    *count += if line.is_code { IN_CODE * met.likeness } else { met.likeness };
                }
            }
            if matcher.defines(line.text) {
                defining.extend(&met);
            }
            body.words += line.text.split_whitespace().count();
            body.pairs = body.pairs.max(matcher.weight_of_pairs(&met));
            body.items += usize::from(line.is_item());
            body.has_code |= line.is_code;
            lines.push(met);
        }
        body.defined = matcher.likenesses(&defining);
        let windows = lines.windows(CLOSE_LINES.min(lines.len()).max(1));
        body.close =
            windows.map(|window| matcher.weight_of(window.iter().flatten())).fold(0.0, f64::max);
        body
    }

    fn frequency(&self, count: f64) -> f64 {
        let length = 1.0 - LENGTH + LENGTH * self.words as f64 / USUAL_WORDS;
        count * (SATURATION + 1.0) / (count + SATURATION * length)
    }
}
