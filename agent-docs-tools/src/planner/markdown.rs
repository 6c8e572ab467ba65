//! The marks of Markdown, line by line. The lines may begin anywhere in a document.

/// A line of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a str,
    /// Whether it stands in fenced code, or is a fence.
    pub(crate) is_code: bool,
}

impl Line<'_> {
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether it is an item of a list or a row of a table.
    pub(crate) fn is_item(&self) -> bool {
        let text = self.text.trim_start();
        let unnumbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_numbered = unnumbered.len() < text.len() && unnumbered.starts_with(". ");
        let is_marked = ["* ", "- ", "+ ", "| "].iter().any(|mark| text.starts_with(mark));
        !self.is_code && (is_numbered || is_marked)
    }
}

/// Tells code from text in lines that follow each other.
pub(crate) fn read<'a>(run: &[(usize, &'a str)]) -> Vec<Line<'a>> {
    let mut open: Option<&str> = starts_in_code(run).then_some("```");
    let mut lines = Vec::with_capacity(run.len());
    for &(number, text) in run {
        let fence = fence(text);
        lines.push(Line { number, text, is_code: open.is_some() || fence.is_some() });
        open = match (open, fence) {
            (None, Some((mark, _))) => Some(mark),
            (Some(opened), Some((mark, ""))) if mark.starts_with(opened) => None,
            (open, _) => open,
        };
    }
    lines
}

/// Lines that begin inside code meet the end of code before any beginning; only a beginning names a
/// language.
fn starts_in_code(run: &[(usize, &str)]) -> bool {
    let at_start = run.first().is_none_or(|(number, _)| *number == 1);
    let mut fences = run.iter().filter_map(|(_, text)| fence(text));
    !at_start
        && fences.position(|(_, language)| !language.is_empty()).is_some_and(|bare| bare % 2 == 1)
}

/// The mark of a code fence and the language after it.
fn fence(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let language = text.trim_start_matches(sign);
    let mark = text.strip_suffix(language)?;
    (mark.len() >= 3 && !language.contains('`')).then(|| (mark, language.trim()))
}

/// The level and text of a heading that begins at a line.
pub(crate) fn heading(lines: &[Line<'_>], index: usize) -> Option<(usize, String)> {
    let line = lines.get(index).filter(|line| !line.is_code)?;
    let unmarked = line.text.trim_start_matches('#');
    let level = line.text.len() - unmarked.len();
    if level > 0 {
        let is_heading = level <= 6 && unmarked.starts_with([' ', '\t']);
        return is_heading.then(|| (level, unmarked.trim_end_matches('#').trim().to_owned()));
    }
    let before = index.checked_sub(1).and_then(|before| lines.get(before));
    let stands_alone =
        before.is_none_or(Line::is_blank) && line.text.starts_with(char::is_alphanumeric);
    let level = lines.get(index + 1).and_then(|below| underline(below.text))?;
    stands_alone.then(|| (level, line.text.trim().to_owned()))
}

/// The level of the heading that this line underlines.
fn underline(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let all = |sign| text.len() >= 3 && text.chars().all(|c| c == sign);
    if all('=') {
        Some(1)
    } else if all('-') {
        Some(2)
    } else {
        None
    }
}

/// The front matter of a document: its title and description, and how many lines it takes.
pub(crate) fn front_matter(lines: &[Line<'_>]) -> (Vec<String>, usize) {
    let is_rule = |line: &Line<'_>| line.text.trim_end() == "---";
    let begins = lines.first().is_some_and(|line| line.number == 1 && is_rule(line));
    let Some(length) = lines.iter().skip(1).position(is_rule).filter(|_| begins) else {
        return (Vec::new(), 0);
    };
    let fields = lines.iter().skip(1).take(length).filter_map(|line| line.text.split_once(':'));
    let titles = fields.filter(|(name, _)| matches!(*name, "title" | "description"));
    (titles.map(|(_, text)| text.trim().trim_matches('"').to_owned()).collect(), length + 2)
}

/// Whether a heading names a release, by number or date, rather than a subject.
pub(crate) fn is_release(heading: &str) -> bool {
    let count = |is: fn(&char) -> bool| heading.chars().filter(is).count();
    let between_digits = |(at, _): (usize, &str)| {
        let (before, after) = (heading.get(..at), heading.get(at + 1..));
        before.is_some_and(|text| text.ends_with(|c: char| c.is_ascii_digit()))
            && after.is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()))
    };
    heading.match_indices(['.', '-']).any(between_digits)
        && count(|c| c.is_alphabetic()) <= count(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_told_from_a_numbered_heading() {
        for release in ["1.2.0 (2031-05-01)", "[0.3.1] - 2030-12-24", "v2.0.1"] {
            assert!(is_release(release), "{release}");
        }
        for heading in ["1.2 Painting the hull", "E20", "Chapter 3", "2.", "", "Größe 7–8"] {
            assert!(!is_release(heading), "{heading}");
        }
    }

    #[test]
    fn items_are_told_from_text_and_code() {
        let line = |text, is_code| Line { number: 1, text, is_code };
        assert!(
            ["- a", "  * a", "10. a", "| a |"].into_iter().all(|text| line(text, false).is_item())
        );
        assert!(!["-a", "**a**", "10 a", "a"].into_iter().any(|text| line(text, false).is_item()));
        assert!(!line("- a", true).is_item());
    }
}
