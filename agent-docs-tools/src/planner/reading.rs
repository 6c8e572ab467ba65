//! Chooses what to read: places where several words of the question meet.

use std::collections::BTreeMap;

use super::matcher::Matcher;
use super::notes::{Call, Notes};
use super::rank::Ranked;
use crate::knob::k;

const PAGE: usize = 80;
const ABOVE: usize = 25;
const NEAR: usize = 12;
const MAX_READS: usize = 10;

#[derive(Debug, Clone)]
struct Spot<'a> { path: &'a str, line: usize, score: f64 }

/// The pages worth reading for what the searches found.
pub(crate) fn around_hits(matcher: &Matcher, notes: &Notes) -> Vec<Call> {
    let mut spots = spots(matcher, notes);
    spots.sort_by(|a, b| b.score.total_cmp(&a.score));
    let best = spots.first().map_or(0.0, |spot| spot.score);
    let mut reads: Vec<(&str, usize)> = Vec::new();
    for spot in spots.iter().filter(|spot| spot.score >= 0.3 * best) {
        let start = if spot.line <= PAGE - ABOVE { 1 } else { spot.line - ABOVE };
        let covered = reads.iter().any(|(path, from)| *path == spot.path && (*from..*from + 60).contains(&spot.line));
        if covered || notes.has_read(spot.path, spot.line) { continue; }
        reads.push((spot.path, start));
        if reads.len() == MAX_READS { break; }
    }
    reads.into_iter().map(|(path, start)| Call::Read { path: path.to_owned(), start, end: start + PAGE - 1 }).collect()
}

fn spots<'a>(matcher: &Matcher, notes: &'a Notes) -> Vec<Spot<'a>> {
    let mut hits: BTreeMap<&str, BTreeMap<usize, &str>> = BTreeMap::new();
    for path in &notes.paths { hits.entry(path).or_default(); }
    for hit in notes.searches.values().flat_map(|found| &found.hits) {
        hits.entry(&hit.path).or_default().insert(hit.line, &hit.text);
    }
    let mut spots = Vec::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let _ = &mut seen;
    for (path, lines) in hits {
        let in_path = terms(matcher, path);
        let path_score: f64 = in_path.iter().map(|t| matcher.weight_of(*t)).sum();
        let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        let file = stem.rsplit_once('/').map_or(stem, |(_, file)| file);
        let precision = super::rank::precision(&matcher.find(file), file);
        if path_score > 0.0 { spots.push(Spot { path, line: 1, score: k("pathspot", 0.9) * path_score * (1.0 + k("pathprec", 0.5) * precision) }); }
        let met: Vec<(usize, Vec<usize>, f64)> = lines.iter().map(|(line, text)| {
            let found = matcher.find(text);
            let adjacent = super::rank::pairs(matcher, &found);
            let t = terms(matcher, text);
            let heading: f64 = if text.starts_with('#') { t.iter().map(|t| matcher.weight_of(*t)).sum() } else { 0.0 };
            (*line, t, heading + 0.4 * adjacent)
        }).collect();
        let mut local: Vec<Spot> = Vec::new();
        for (line, _, _) in &met {
            let times = { let n = seen.entry(lines[line]).or_default(); *n += 1; *n };
            let near: Vec<_> = met.iter().filter(|(other, _, _)| other.abs_diff(*line) <= NEAR).collect();
            let mut all: Vec<usize> = near.iter().flat_map(|(_, t, _)| t.clone()).collect();
            all.sort_unstable(); all.dedup();
            let words: f64 = all.iter().map(|t| matcher.weight_of(*t)).sum();
            let bonus = near.iter().map(|(_, _, b)| *b).fold(0.0, f64::max);
            let own: f64 = met.iter().filter(|(l, _, _)| l == line).map(|(_, t, b)| t.iter().map(|t| matcher.weight_of(*t)).sum::<f64>() + b).sum();
            local.push(Spot { path, line: *line, score: (words + bonus + 0.3 * own + 0.7 * path_score) / (1.0 + k("dup", 0.3) * (times - 1) as f64) });
        }
        local.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut kept: Vec<Spot> = Vec::new();
        for spot in local {
            if kept.iter().all(|k| k.line.abs_diff(spot.line) > 30) { kept.push(spot); }
            if kept.len() == 4 { break; }
        }
        spots.extend(kept);
    }
    spots
}

fn terms(matcher: &Matcher, text: &str) -> Vec<usize> {
    let mut t: Vec<usize> = matcher.find(text).iter().map(|met| met.term).collect();
    t.sort_unstable();
    t.dedup();
    t
}

/// What is missing of the sections that fit best.
pub(crate) fn to_complete(ranked: &[Ranked<'_>]) -> Vec<Call> {
    let mut calls = Vec::new();
    for r in ranked.iter().take(6) {
        let s = &r.section;
        if s.is_open { calls.push(Call::Read { path: s.path.to_owned(), start: s.last() + 1, end: s.last() + PAGE }); }
        if s.is_headless { let start = s.first().saturating_sub(60).max(1); calls.push(Call::Read { path: s.path.to_owned(), start, end: s.first() - 1 }); }
    }
    calls
}
