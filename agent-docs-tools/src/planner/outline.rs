//! The sections of Markdown text of which only pieces may be known.

use super::notes::Page;

/// What stands under one heading, up to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section<'a> {
    pub(crate) path: &'a str,
    /// The headings it stands under, the outermost first, its own last.
    pub(crate) headings: Vec<String>,
    /// The level of its own heading, 0 where it has none.
    pub(crate) level: usize,
    pub(crate) lines: Vec<(usize, &'a str)>,
    /// Whether text before its first known line is missing.
    pub(crate) is_headless: bool,
    /// Whether text after its last known line may be missing.
    pub(crate) is_open: bool,
    /// Whether it is the first of its page to say something.
    pub(crate) is_lead: bool,
}

impl Section<'_> {
    pub(crate) fn first(&self) -> usize {
        self.lines.first().map_or(1, |(number, _)| *number)
    }

    pub(crate) fn last(&self) -> usize {
        self.lines.last().map_or(1, |(number, _)| *number)
    }

    /// Its own heading, if it has one.
    pub(crate) fn heading(&self) -> Option<&str> {
        if self.level == 0 { None } else { self.headings.last().map(String::as_str) }
    }
}

/// Cuts the known lines of a page into sections.
pub(crate) fn sections<'a>(path: &'a str, page: &'a Page) -> Vec<Section<'a>> {
    let mut stack: Vec<(usize, String)> = Vec::new();
    let mut sections = Vec::new();
    for run in runs(page) {
        // What stood between two runs may have changed everything but the title.
        stack.retain(|(level, _)| *level <= 1);
        let from_start = run.first().is_some_and(|(number, _)| *number == 1);
        let mut cutter = Cutter { path, stack: &mut stack, sections: Vec::new(), is_headless: !from_start };
        cutter.cut(&run);
        let to_end = run.last().is_some_and(|(number, _)| Some(*number) == page.end);
        let mut cut = cutter.sections;
        if let Some(last) = cut.last_mut() {
            last.is_open = !to_end;
        }
        sections.append(&mut cut);
    }
    sections.retain(|section| section.lines.iter().any(|(_, text)| !text.trim().is_empty()));
    mark_lead(&mut sections);
    sections
}

/// The first section with prose, where the page is known from its first line on.
fn mark_lead(sections: &mut [Section<'_>]) {
    let speaks = |section: &Section<'_>| {
        let body = section.lines.iter().skip(usize::from(section.level > 0));
        body.filter(|(_, text)| text.starts_with(char::is_alphabetic) || text.starts_with('`')).count() > 0
    };
    if sections.first().is_some_and(|first| !first.is_headless) {
        if let Some(lead) = sections.iter_mut().find(|section| speaks(section)) {
            lead.is_lead = true;
        }
    }
}

/// Lines that follow each other without a gap.
fn runs(page: &Page) -> Vec<Vec<(usize, &str)>> {
    let mut runs: Vec<Vec<(usize, &str)>> = Vec::new();
    for (&number, text) in &page.lines {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|(last, _)| last + 1 == number) => run.push((number, text)),
            _ => runs.push(vec![(number, text)]),
        }
    }
    runs
}

struct Cutter<'a, 's> {
    path: &'a str,
    stack: &'s mut Vec<(usize, String)>,
    sections: Vec<Section<'a>>,
    is_headless: bool,
}

impl<'a> Cutter<'a, '_> {
    fn cut(&mut self, run: &[(usize, &'a str)]) {
        let body = self.front_matter(run);
        let fenced = fenced(run);
        self.open(0);
        for index in body..run.len() {
            let (number, text) = run[index];
            if let Some((level, heading)) = (!fenced[index]).then(|| heading(run, index)).flatten() {
                self.stack.retain(|(other, _)| *other < level);
                self.stack.push((level, heading));
                self.open(level);
            }
            if let Some(section) = self.sections.last_mut() {
                section.lines.push((number, text));
            }
        }
    }

    fn open(&mut self, level: usize) {
        let headings = self.stack.iter().map(|(_, text)| text.clone()).collect();
        let is_headless = level == 0 && self.is_headless;
        self.sections.push(Section { path: self.path, headings, level, lines: Vec::new(), is_headless, is_open: false, is_lead: false });
    }

    /// Takes the title and description of a page from its front matter; returns where the page itself begins.
    fn front_matter(&mut self, run: &[(usize, &str)]) -> usize {
        if run.first() != Some(&(1, "---")) {
            return 0;
        }
        let Some(end) = run.iter().skip(1).position(|(_, text)| *text == "---") else { return 0 };
        for (_, text) in run.iter().take(end + 1) {
            if let Some(("title" | "description", value)) = text.split_once(':') {
                self.stack.push((0, value.trim().trim_matches('"').to_owned()));
            }
        }
        end + 2
    }
}

/// The level and text of a heading that begins at this line.
fn heading(run: &[(usize, &str)], index: usize) -> Option<(usize, String)> {
    let text = run.get(index)?.1;
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&level) {
        let rest = text.get(level..)?;
        return rest.starts_with([' ', '\t']).then(|| (level, rest.trim().trim_end_matches('#').trim().to_owned()));
    }
    let is_alone = index.checked_sub(1).and_then(|before| run.get(before)).is_none_or(|(_, before)| before.trim().is_empty());
    let is_plain = text.starts_with(char::is_alphanumeric);
    let underline = run.get(index + 1).map(|(_, below)| below.trim_end()).filter(|below| below.len() >= 3)?;
    let level = match underline.as_bytes().first()? {
        b'=' if underline.bytes().all(|byte| byte == b'=') => 1,
        b'-' if underline.bytes().all(|byte| byte == b'-') => 2,
        _ => return None,
    };
    (is_alone && is_plain).then(|| (level, text.trim().to_owned()))
}

/// Which lines stand in fenced code, their fences included.
fn fenced(run: &[(usize, &str)]) -> Vec<bool> {
    let mut open: Option<&str> = starts_in_code(run).then_some("```");
    let mut fenced = Vec::with_capacity(run.len());
    for (_, text) in run {
        let fence = fence(text);
        fenced.push(open.is_some() || fence.is_some());
        open = match (open, fence) {
            (None, Some((mark, _))) => Some(mark),
            (Some(opened), Some((mark, ""))) if mark.starts_with(opened) => None,
            (open, _) => open,
        };
    }
    fenced
}

/// A run that begins inside code meets an end of code before any beginning; only beginnings name a language.
fn starts_in_code(run: &[(usize, &str)]) -> bool {
    if run.first().is_none_or(|(number, _)| *number == 1) {
        return false;
    }
    let fences: Vec<bool> = run.iter().filter_map(|(_, text)| fence(text)).map(|(_, language)| language.is_empty()).collect();
    fences.iter().position(|is_bare| !is_bare).is_some_and(|bare_before| bare_before % 2 == 1)
}

/// The mark and the language of a code fence.
fn fence(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let mark = text.as_bytes().first().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = text.bytes().take_while(|byte| byte == mark).count();
    let rest = text.get(length..)?.trim();
    (length >= 3 && !rest.contains('`')).then(|| (text.get(..length).unwrap_or_default(), rest))
}
