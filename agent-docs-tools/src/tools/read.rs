use agent_core::tool;

use super::page::{LOSSY_NOTE, MAX_CHARS, Page, room};
use crate::corpus::{Docs, DocsError, Text};

/// The most lines shown at once.
const MAX_LINES: u32 = 80;

/// Reads lines `start` to `end` of one document, numbered; 80 lines where `end` is left out or further.
///
/// # Errors
///
/// When the lines are no range, start past the end, or the path leads outside the folder or names no
/// document.
// The lines keep to the usual limit; the note on where to go on comes on top.
#[tool(
    "Read lines of one docs file, numbered. At most 80 lines a call.",
    read_only,
    max_output = 3200,
    tags("docs")
)]
pub fn read_doc(
    #[state] docs: &Docs,
    /// File path, as list_docs or grep_docs print it.
    path: &str,
    /// First line, counted from 1.
    #[arg(default = 1, range = 1..)]
    start: u32,
    /// Last line. Without it, the 80 lines from `start`.
    #[arg(range = 1..)]
    end: Option<u32>,
) -> Result<String, DocsError> {
    let before = start.checked_sub(1).ok_or(DocsError::StartIsZero)?;
    let furthest = before.saturating_add(MAX_LINES);
    let end = end.unwrap_or(furthest);
    if end < start {
        return Err(DocsError::EndBeforeStart { start, end });
    }
    let text = docs.read(path)?;
    let lines = text.line_count();
    if lines == 0 {
        return Ok("the doc is empty: it has 0 lines".to_owned());
    }
    if start as usize > lines {
        return Err(DocsError::StartPastEnd { path: path.to_owned(), start, lines });
    }
    let end = (end.min(furthest) as usize).min(lines);
    Ok(numbered(&text, start as usize, end, lines))
}

/// Lines `start` to `end`, or those of them that fit; then what was replaced and where to go on.
fn numbered(text: &Text, start: usize, end: usize, lines: usize) -> String {
    let mut page = Page::default();
    let (mut last, mut lossy) = (start, "");
    for (number, line) in (start..=end).zip(text.lines_after(start - 1)) {
        let lossy_now = if line.lossy { LOSSY_NOTE } else { lossy };
        let kept = room(lossy_now);
        let fits = page.fit(&format!("{number}: {}", line.text), kept);
        if !fits && number > start {
            break;
        }
        (last, lossy) = (number, lossy_now);
        if !fits {
            push_cut(&mut page, number, &line.text, kept);
            break;
        }
    }
    page.push(lossy);
    page.push(&position(start, last, lines));
    page.into_text()
}

/// Adds as much of a line as fits where it does not fit whole, even alone.
fn push_cut(page: &mut Page, number: usize, text: &str, kept: usize) {
    let chars = text.chars().count();
    let cut_note = |shown| {
        format!(
            "line {number} is cut after {shown} of its {chars} characters; \
             grep_docs shows the surroundings of a word further on"
        )
    };
    let cut = |text: &str| format!("{number}: {text}…");
    let shown = MAX_CHARS.saturating_sub(room(&cut("")) + room(&cut_note(chars)) + kept);
    page.push(&cut(&text.chars().take(shown).collect::<String>()));
    page.push(&cut_note(shown));
}

/// Which lines were shown and where to go on; empty where the document ends with them.
fn position(first: usize, last: usize, lines: usize) -> String {
    if last < lines {
        format!("lines {first}-{last} of {lines}; go on with start={}", last + 1)
    } else {
        String::new()
    }
}
