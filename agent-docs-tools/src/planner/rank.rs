//! Orders the sections that were read by how well they fit the question.

use super::matcher::{Matcher, Met};
use super::notes::Notes;
use super::outline::{Section, sections};
use super::words::words;
use crate::knob::k;

/// A section and how well it fits.
#[derive(Debug, Clone)]
pub(crate) struct Ranked<'a> {
    pub(crate) section: Section<'a>,
    pub(crate) score: f64,
    /// The share of the question, by weight, that the section speaks of.
    pub(crate) coverage: f64,
}

/// All sections that were read, the best first.
pub(crate) fn rank<'a>(matcher: &Matcher, notes: &'a Notes) -> Vec<Ranked<'a>> {
    let all = notes.pages.iter().flat_map(|(path, page)| sections(path, page));
    let mut ranked: Vec<Ranked<'a>> = all.map(|section| score(matcher, section)).filter(|ranked| ranked.score > 0.0).collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    ranked
}

fn score<'a>(matcher: &Matcher, section: Section<'a>) -> Ranked<'a> {
    let mut counts = vec![0.0_f64; matcher.weights.len()];
    let mut word_count = 0.0;
    let mut adjacent = 0.0;
    let mut items = 0;
    let mut in_code = false;
    let skip = usize::from(section.level > 0);
    let mut lines: Vec<Vec<Met>> = Vec::new();
    for (_, text) in section.lines.iter().skip(skip) {
        if text.trim_start().starts_with("```") { in_code = !in_code; }
        let met = matcher.find(text);
        word_count += text.split_whitespace().count() as f64 * if in_code { k("codelen", 0.5) } else { 1.0 };
        adjacent = f64::max(adjacent, pairs(matcher, &met));
        let t = text.trim_start();
        if !in_code && (t.starts_with("* ") || t.starts_with("- ") || t.starts_with("| ") || t.starts_with(|c: char| c.is_ascii_digit()) && t.contains(". ")) { items += 1; }
        for met in &met {
            if let Some(count) = counts.get_mut(met.term) { *count += met.likeness * if in_code { k("code", 0.5) } else { 1.0 }; }
        }
        lines.push(met);
    }
    let near = best_window(matcher, &lines);
    let heading_text = section.heading().unwrap_or_default();
    let heading = matcher.find(heading_text);
    let precision = precision(&heading, heading_text);
    let ancestors = section.headings.len() - usize::from(section.level > 0 && !section.headings.is_empty());
    let stem = section.path.rsplit_once('.').map_or(section.path, |(stem, _)| stem);
    let mut context_texts: Vec<&str> = vec![stem];
    context_texts.extend(section.headings.iter().take(ancestors).map(String::as_str));
    let context: Vec<Met> = context_texts.iter().flat_map(|text| matcher.find(text)).collect();
    let context_precision = context_texts.iter().map(|t| self::precision(&matcher.find(t), t)).fold(0.0, f64::max);
    let lead = if section.is_lead { k("lead", 1.3) * context_precision } else { 0.0 };

    if matcher.enumerates && items >= 3 {
        for (t, c) in counts.iter_mut().enumerate() { if matcher.is_kind(t) { *c = f64::max(*c, k("listkind", 0.7)); } }
    }
    let mut sum = 0.0;
    let mut covered = 0.0;
    let norm = k("k1", 1.2) * (1.0 - k("b", 0.5) + k("b", 0.5) * word_count.max(k("minlen", 60.0)) / 120.0);
    for (term, count) in counts.iter().enumerate() {
        let weight = matcher.weight_of(term);
        let body = count * (k("k1", 1.2) + 1.0) / (count + norm);
        let in_heading = likeness(&heading, term);
        let in_context = likeness(&context, term);
        let h = k("head", 2.0) * in_heading * (1.0 - k("hp", 0.5) * (1.0 - precision));
        let c = (k("ctx", 1.0) + lead) * in_context;
        sum += weight * (body + h.max(c) + k("both", 0.2) * h.min(c));
        covered += weight * count.min(1.0).max(in_heading).max(0.8 * in_context);
    }
    sum += k("adj", 0.4) * (adjacent + 2.0 * pairs(matcher, &heading)) + k("near", 0.5) * near;
    let mut score = sum;
    let coverage = covered / matcher.total().max(f64::MIN_POSITIVE);
    score *= 1.0 - k("cov", 0.7) * (1.0 - coverage);
    if matcher.enumerates && items >= 3 { score *= k("enum", 1.1); }
    let has_code = section.lines.iter().any(|(_, t)| t.trim_start().starts_with("```"));
    if matcher.how && has_code { score *= k("how", 1.1); }
    let ws: Vec<String> = section.lines.iter().skip(skip).flat_map(|(_, t)| words(t)).map(|w| w.text).collect();
    let stops = ws.iter().filter(|w| super::stop_words::is_stop_word(w)).count() as f64 / ws.len().max(1) as f64;
    if stops < k("stopratio", 0.1) && !ws.iter().any(|w| w.contains(super::words::is_unspaced)) { score *= k("nosent", 0.8); }
    let extra: f64 = context_texts.iter().chain([&heading_text]).map(|t| words(t).iter().filter(|w| !super::stop_words::is_stop_word(&w.text) && matcher.find(&w.text).is_empty()).count() as f64).sum();
    score /= 1.0 + k("extra", 0.02) * extra;
    if word_count < 8.0 { score *= k("empty", 0.7); }
    Ranked { section, score, coverage }
}

/// The weight of the terms that meet within a few lines.
fn best_window(matcher: &Matcher, lines: &[Vec<Met>]) -> f64 {
    lines.windows(3.min(lines.len().max(1))).map(|window| {
        (0..matcher.weights.len()).map(|t| matcher.weight_of(t) * window.iter().map(|l| likeness(l, t)).fold(0.0, f64::max)).sum::<f64>()
    }).fold(0.0, f64::max)
}

pub(crate) fn precision(met: &[Met], text: &str) -> f64 {
    let mut terms: Vec<usize> = met.iter().map(|met| met.term).collect();
    terms.sort_unstable();
    terms.dedup();
    let n = words(text).iter().filter(|w| !super::stop_words::is_stop_word(&w.text)).count().max(1);
    (terms.len() as f64 / n as f64).min(1.0)
}

fn likeness(met: &[Met], term: usize) -> f64 {
    met.iter().filter(|met| met.term == term).map(|met| met.likeness).fold(0.0, f64::max)
}

pub(crate) fn pairs(matcher: &Matcher, met: &[Met]) -> f64 {
    let mut sum = 0.0;
    for &(a, b) in &matcher.pairs {
        let near = met.iter().filter(|m| m.term == a).any(|x| met.iter().any(|y| y.term == b && y.position.abs_diff(x.position) <= 3));
        if near { sum += matcher.weight_of(a) + matcher.weight_of(b); }
    }
    sum
}
