//! Chooses the lines of a section to quote.

use super::markdown::Line;
use super::matcher::Matcher;
use super::outline::Section;

/// A passage is no longer than this, in lines.
const MAX_LINES: usize = 32;
/// How much better a later part must be than an earlier one.
const BETTER: f64 = 1.15;

/// Lines, and the weight of the question's words in them.
struct Part<'s, 'a> {
    lines: &'s [Line<'a>],
    weight: f64,
}

/// The lines of a section that bear on the question: all of them if they are few.
pub(crate) fn passage<'s, 'a>(matcher: &Matcher<'_>, section: &'s Section<'a>) -> &'s [Line<'a>] {
    let lines = trimmed(&section.lines);
    if lines.len() <= MAX_LINES {
        return lines;
    }
    let parts = parts(matcher, lines);
    // Of equal parts the last: it begins with what the question is about.
    let best = parts.iter().max_by(|one, other| one.weight.total_cmp(&other.weight));
    let most = best.map_or(0.0, |best| best.weight);
    let first = parts.first().filter(|first| first.weight * BETTER >= most);
    first.or(best).map_or(lines, |part| part.lines)
}

/// The parts that begin with a paragraph.
fn parts<'s, 'a>(matcher: &Matcher<'_>, lines: &'s [Line<'a>]) -> Vec<Part<'s, 'a>> {
    let weights: Vec<f64> =
        lines.iter().map(|line| matcher.weight_of(&matcher.find(line.text))).collect();
    let windows = lines.windows(MAX_LINES).enumerate();
    windows
        .filter(|(start, _)| begins_paragraph(lines, *start))
        .map(|(start, window)| {
            let lines = whole_paragraphs(window);
            let weight = weights.iter().skip(start).take(lines.len()).sum();
            Part { lines, weight }
        })
        .collect()
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

#[cfg(test)]
mod tests {
    use super::super::notes::Notes;
    use super::super::question::Question;
    use super::*;

    fn quoted(text: &str, question: &str) -> Vec<String> {
        let lines = text.lines().enumerate();
        let lines = lines.map(|(at, text)| Line { number: at + 1, text, is_code: false });
        let section = Section {
            path: "boats.md",
            above: Vec::new(),
            heading: None,
            lines: lines.collect(),
            is_headless: false,
            is_open: false,
        };
        let question = Question::parse(question);
        let matcher = Matcher::new(&question, &Notes::default());
        passage(&matcher, &section).iter().map(|line| line.text.to_owned()).collect()
    }

    #[test]
    fn a_short_section_is_quoted_whole_without_blank_lines_around_it() {
        assert_eq!(quoted("\n\nA boat\n\nfloats.\n\n", "boat"), ["A boat", "", "floats."]);
    }

    #[test]
    fn of_a_long_section_the_part_that_speaks_of_the_question_is_quoted_in_whole_paragraphs() {
        let dull = "Wood is wood.\nWood is good.\n\n".repeat(30);
        let quoted = quoted(&format!("{dull}A boat\nfloats.\n\n{dull}"), "boat");
        assert!(quoted.contains(&"A boat".to_owned()) && quoted.len() <= MAX_LINES, "{quoted:?}");
        assert!(quoted.len() > MAX_LINES / 2);
        let (first, last) = (&quoted[0], &quoted[quoted.len() - 1]);
        assert!(["Wood is wood.", "A boat"].contains(&first.as_str()), "{first}");
        assert!(["Wood is good.", "floats."].contains(&last.as_str()), "{last}");
    }

    #[test]
    fn a_section_of_one_long_paragraph_is_cut() {
        let text = "boat\n".repeat(200);
        assert_eq!(quoted(&text, "boat").len(), MAX_LINES);
        assert_eq!(quoted("", "boat"), Vec::<String>::new());
    }
}
