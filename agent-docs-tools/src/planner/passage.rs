//! Chooses the lines of a section to quote.

use super::markdown::Line;
use super::matcher::Matcher;
use super::outline::Section;

/// A passage is no longer than this, in lines.
const MAX_LINES: usize = 32;
/// How much better a later part must be than an earlier one.
const BETTER: f64 = 1.15;

/// The lines of a section that bear on the question: all of them if they are few.
pub(crate) fn passage<'s, 'a>(matcher: &Matcher<'_>, section: &'s Section<'a>) -> &'s [Line<'a>] {
    let lines = trimmed(&section.lines);
    if lines.len() <= MAX_LINES {
        return lines;
    }
    let weights: Vec<f64> =
        lines.iter().map(|line| matcher.weight_of(&matcher.find(line.text))).collect();
    let mut best: (usize, f64) = (0, 0.0);
    for start in (0..=lines.len() - MAX_LINES).filter(|start| begins_paragraph(lines, *start)) {
        let weight: f64 = weights.iter().skip(start).take(MAX_LINES).sum();
        if start == 0 || weight > BETTER * best.1 {
            best = (start, weight);
        }
    }
    let part = lines.get(best.0..best.0 + MAX_LINES).unwrap_or(lines);
    whole_paragraphs(part)
}

/// The lines without the blank ones around them.
fn trimmed<'s, 'a>(lines: &'s [Line<'a>]) -> &'s [Line<'a>] {
    let is_text = |line: &Line<'_>| !line.is_blank();
    let start = lines.iter().position(is_text).unwrap_or_default();
    let end = lines.iter().rposition(is_text).map_or(start, |last| last + 1);
    lines.get(start..end).unwrap_or_default()
}

fn begins_paragraph(lines: &[Line<'_>], start: usize) -> bool {
    let before = start.checked_sub(1).and_then(|before| lines.get(before));
    before.is_none_or(|line| line.is_blank() && !line.is_code)
}

/// Leaves out a paragraph that is cut off, unless it is most of the part.
fn whole_paragraphs<'s, 'a>(part: &'s [Line<'a>]) -> &'s [Line<'a>] {
    let end = part.iter().rposition(|line| line.is_blank() && !line.is_code);
    let whole = end.filter(|end| *end > part.len() / 2).and_then(|end| part.get(..end));
    trimmed(whole.unwrap_or(part))
}
