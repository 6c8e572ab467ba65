//! Finds places in the hits of the searches where several words of the question meet.

use std::collections::{BTreeMap, HashMap};

use super::matcher::{Matcher, Met};
use super::notes::Notes;

/// How near to each other words meet, in lines.
const NEAR: usize = 12;
/// How far apart two places of one document are, in lines.
const APART: usize = 30;
const MAX_IN_DOCUMENT: usize = 4;
/// What the words of its path count for the beginning of a document, and for any other place in it.
const PATH_AT_START: f64 = 1.2;
const PATH: f64 = 0.7;
/// What words count in addition that stand side by side, or in the very line.
const PAIRS: f64 = 0.4;
const OWN: f64 = 0.3;
/// How much less a place counts for each time its line has stood elsewhere.
const REPEATED: f64 = 0.3;

/// A place that may answer the question.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot<'a> {
    pub(crate) path: &'a str,
    pub(crate) line: usize,
    pub(crate) score: f64,
}

/// The places that the searches found, the best first.
pub(crate) fn spots<'a>(matcher: &Matcher<'_>, notes: &'a Notes) -> Vec<Spot<'a>> {
    let mut times_seen = HashMap::new();
    let mut spots = Vec::new();
    for (path, hits) in hits(notes) {
        let in_path = matcher.weight_of(&matcher.find(path));
        if in_path > 0.0 {
            spots.push(Spot { path, line: 1, score: PATH_AT_START * in_path });
        }
        let found: Vec<Found<'_>> =
            hits.into_iter().map(|(line, text)| Found::read(matcher, line, text)).collect();
        let in_document = found.iter().map(|here| {
            let times = times_seen.entry(here.text).or_insert(0_u32);
            let score = (here.score(matcher, &found) + PATH * in_path)
                / (1.0 + REPEATED * f64::from(*times));
            *times += 1;
            Spot { path, line: here.line, score }
        });
        spots.extend(apart(in_document.collect()));
    }
    sort(&mut spots);
    spots
}

/// The lines that were found, by document; none for a document in which nothing was.
fn hits(notes: &Notes) -> BTreeMap<&str, BTreeMap<usize, &str>> {
    let mut hits: BTreeMap<&str, BTreeMap<usize, &str>> = BTreeMap::new();
    for path in &notes.paths {
        hits.entry(path).or_default();
    }
    for hit in notes.searches.values().flat_map(|found| &found.hits) {
        hits.entry(&hit.path).or_default().insert(hit.line, &hit.text);
    }
    hits
}

/// The best places of one document that are not close to a better one.
fn apart(mut spots: Vec<Spot<'_>>) -> Vec<Spot<'_>> {
    sort(&mut spots);
    let mut kept: Vec<Spot<'_>> = Vec::new();
    for spot in spots {
        if kept.iter().all(|other| other.line.abs_diff(spot.line) > APART) {
            kept.push(spot);
        }
    }
    kept.truncate(MAX_IN_DOCUMENT);
    kept
}

fn sort(spots: &mut [Spot<'_>]) {
    spots.sort_by(|one, other| other.score.total_cmp(&one.score));
}

/// A line that a search found.
struct Found<'a> {
    line: usize,
    text: &'a str,
    met: Vec<Met>,
    weight: f64,
    /// What it has beyond single words: pairs of them, or being a heading or a definition.
    bonus: f64,
}

impl<'a> Found<'a> {
    fn read(matcher: &Matcher<'_>, line: usize, text: &'a str) -> Self {
        let met = matcher.find(text);
        let weight = matcher.weight_of(&met);
        let is_telling = text.starts_with('#') || matcher.defines(text);
        let telling = if is_telling { weight } else { 0.0 };
        let bonus = telling + PAIRS * matcher.weight_of_pairs(&met);
        Self { line, text, met, weight, bonus }
    }

    /// How much of the question meets around this line.
    fn score(&self, matcher: &Matcher<'_>, others: &[Self]) -> f64 {
        let from = others.partition_point(|other| other.line + NEAR < self.line);
        let near = others.iter().skip(from).take_while(|other| other.line <= self.line + NEAR);
        let words = matcher.weight_of(near.clone().flat_map(|other| &other.met));
        let bonus = near.map(|other| other.bonus).fold(0.0, f64::max);
        words + bonus + OWN * (self.weight + self.bonus)
    }
}
