//! The lines of a section to quote.

use super::matcher::Matcher;
use super::rank::Ranked;

pub(crate) struct Passage<'a> { pub(crate) path: &'a str, pub(crate) start: usize, pub(crate) end: usize, pub(crate) headings: Vec<String>, pub(crate) lines: Vec<&'a str>, pub(crate) score: f64, pub(crate) coverage: f64 }

const MAX_LINES: usize = 32;

pub(crate) fn passages<'a>(matcher: &Matcher, ranked: &[Ranked<'a>]) -> Vec<Passage<'a>> {
    ranked.iter().take(3).map(|r| passage(matcher, r)).collect()
}

fn passage<'a>(matcher: &Matcher, r: &Ranked<'a>) -> Passage<'a> {
    let s = &r.section;
    let blank = |l: &(usize, &str)| l.1.trim().is_empty();
    let a = s.lines.iter().position(|l| !blank(l)).unwrap_or(0);
    let b = s.lines.iter().rposition(|l| !blank(l)).map_or(a, |b| b + 1);
    let all = &s.lines[a..b];
    let mut best = (0usize, f64::MIN);
    if all.len() > MAX_LINES {
        let scores: Vec<f64> = all.iter().map(|l| matcher.find(l.1).iter().map(|m| matcher.weight_of(m.term) * m.likeness).sum()).collect();
        for start in 0..=all.len() - MAX_LINES {
            if start > 0 && !all[start - 1].1.trim().is_empty() { continue; }
            let sum: f64 = scores[start..start + MAX_LINES].iter().sum();
            if sum > best.1 * 1.15 || best.1 < 0.0 { best = (start, sum); }
        }
    }
    let lines = &all[best.0..(best.0 + MAX_LINES).min(all.len())];
    Passage { path: s.path, start: lines[0].0, end: lines[lines.len() - 1].0, headings: s.headings.clone(), lines: lines.iter().map(|l| l.1).collect(), score: r.score, coverage: r.coverage }
}
