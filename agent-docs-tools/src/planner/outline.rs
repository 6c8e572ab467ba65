//! The sections of a document of which only pieces may be known.

use super::markdown::{self, Line};
use super::notes::Page;

/// What stands under one heading, up to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section<'a> {
    pub(crate) path: &'a str,
    /// The headings it stands under, the outermost first.
    pub(crate) above: Vec<String>,
    /// Its own heading.
    pub(crate) heading: Option<String>,
    /// Its lines, the heading first.
    pub(crate) lines: Vec<Line<'a>>,
    /// Whether its beginning is missing.
    pub(crate) is_headless: bool,
    /// Whether its end may be missing.
    pub(crate) is_open: bool,
}

impl<'a> Section<'a> {
    /// The lines below the heading.
    pub(crate) fn body(&self) -> impl Iterator<Item = &Line<'a>> {
        self.lines.iter().skip(usize::from(self.heading.is_some()))
    }

    /// The headings it stands under, the outermost first, its own last.
    pub(crate) fn headings(&self) -> impl Iterator<Item = &str> {
        self.above.iter().chain(&self.heading).map(String::as_str)
    }

    pub(crate) fn first_line(&self) -> usize {
        self.lines.first().map_or(1, |line| line.number)
    }

    pub(crate) fn last_line(&self) -> usize {
        self.lines.last().map_or(1, |line| line.number)
    }
}

/// Cuts the known lines of a page into sections. A heading with nothing below it is none of its own:
/// it stands above what comes next.
pub(crate) fn sections<'a>(path: &'a str, page: &'a Page) -> Vec<Section<'a>> {
    let mut cutter = Cutter { path, headings: Vec::new(), sections: Vec::new() };
    for run in runs(page) {
        let reaches_end = run.last().is_some_and(|(number, _)| Some(*number) == page.end);
        cutter.cut(&markdown::read(&run), reaches_end);
    }
    let mut sections = cutter.sections;
    sections.retain(|section| section.body().any(|line| !line.is_blank()));
    sections
}

/// Lines that follow each other without a gap.
fn runs(page: &Page) -> Vec<Vec<(usize, &str)>> {
    let mut runs: Vec<Vec<(usize, &str)>> = Vec::new();
    for (&number, text) in &page.lines {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|(last, _)| last + 1 == number) => {
                run.push((number, text))
            }
            _ => runs.push(vec![(number, text)]),
        }
    }
    runs
}

struct Cutter<'a> {
    path: &'a str,
    /// The headings that the next line stands under, with their levels.
    headings: Vec<(usize, String)>,
    sections: Vec<Section<'a>>,
}

impl<'a> Cutter<'a> {
    fn cut(&mut self, lines: &[Line<'a>], reaches_end: bool) {
        // What was passed over may have changed every heading but the title.
        self.headings.retain(|(level, _)| *level <= 1);
        let (titles, body) = markdown::front_matter(lines);
        self.headings.extend(titles.into_iter().map(|title| (0, title)));
        self.open(None);
        if let (Some(section), Some(line)) = (self.sections.last_mut(), lines.first()) {
            section.is_headless = line.number > 1;
        }
        let lines = lines.get(body..).unwrap_or_default();
        for (index, line) in lines.iter().enumerate() {
            if let Some((level, heading)) = markdown::heading(lines, index) {
                self.headings.retain(|(other, _)| *other < level);
                self.open(Some(heading.clone()));
                self.headings.push((level, heading));
            }
            if let Some(section) = self.sections.last_mut() {
                section.lines.push(*line);
            }
        }
        if let Some(section) = self.sections.last_mut() {
            section.is_open = !reaches_end;
        }
    }

    fn open(&mut self, heading: Option<String>) {
        self.sections.push(Section {
            path: self.path,
            above: self.headings.iter().map(|(_, text)| text.clone()).collect(),
            heading,
            lines: Vec::new(),
            is_headless: false,
            is_open: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(start: usize, text: &str, ends: bool) -> Page {
        let lines = text.lines().enumerate().map(|(at, line)| (start + at, line.to_owned()));
        let mut page = Page { lines: lines.collect(), end: None };
        page.end = page.lines.keys().next_back().copied().filter(|_| ends);
        page
    }

    fn outline(page: &Page) -> Vec<(String, usize, usize)> {
        let place = |section: Section<'_>| {
            let headings: Vec<&str> = section.headings().collect();
            (headings.join(" > "), section.first_line(), section.last_line())
        };
        sections("x.md", page).into_iter().map(place).collect()
    }

    #[test]
    fn sections_end_at_any_heading_and_know_what_they_stand_under() {
        let page = page(1, "# A\n\n## B\nb\n### C\nc\n## D ##\nd", true);
        let expected = [("A > B", 3, 4), ("A > B > C", 5, 6), ("A > D", 7, 8)];
        assert_eq!(outline(&page), expected.map(|(path, a, b)| (path.to_owned(), a, b)));
    }

    #[test]
    fn fenced_code_holds_no_headings() {
        let page = page(1, "# A\n~~~sh\n# no\n```\n# no\n~~~\n# B\nb", true);
        assert_eq!(outline(&page).len(), 2);
    }

    #[test]
    fn text_that_begins_inside_code_is_read_as_code() {
        let page = page(40, "# no\n```\n## B\n```sh\n# no\n```", false);
        assert_eq!(outline(&page), [(String::new(), 40, 41), ("B".to_owned(), 42, 45)]);
    }

    #[test]
    fn underlined_headings_and_front_matter_are_read() {
        let page = page(1, "---\ntitle: \"T\"\nx: y\n---\nA\n===\na\n\nB\n---\nb\n\n---\nc", true);
        assert_eq!(outline(&page), [("T > A".to_owned(), 5, 8), ("T > A > B".to_owned(), 9, 14)]);
    }

    #[test]
    fn what_is_missing_of_a_section_is_told() {
        let mut page = page(1, "# A\na", false);
        page.lines.insert(9, "b".to_owned());
        page.end = Some(9);
        let missing: Vec<_> = sections("x.md", &page)
            .into_iter()
            .map(|section| (section.above.len(), section.is_headless, section.is_open))
            .collect();
        assert_eq!(missing, [(0, false, true), (1, true, false)]);
    }
}
