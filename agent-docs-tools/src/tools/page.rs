use crate::corpus::Skipped;

/// The longest result, in characters: what the core cuts at by default, without regard to lines.
pub(super) const MAX_CHARS: usize = 3000;

pub(super) const LOSSY_NOTE: &str = "note: bytes that are not UTF-8 are shown as \u{FFFD}";

/// The lines of a result, as long as they fit.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
    chars: usize,
}

impl Page {
    /// Adds a line if it fits and leaves `kept` characters free; says whether it did.
    pub(super) fn fit(&mut self, line: &str, kept: usize) -> bool {
        let fits = self.chars + room(line) + kept <= MAX_CHARS;
        if fits {
            self.push(line);
        }
        fits
    }

    /// Adds a line that room was kept for; nothing where there is nothing to say.
    pub(super) fn push(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        self.chars += room(line);
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn into_text(mut self) -> String {
        self.text.pop();
        self.text
    }
}

/// The characters that a line takes of a page.
pub(super) fn room(line: &str) -> usize {
    if line.is_empty() { 0 } else { line.chars().count() + 1 }
}

/// What a search or list left out, as a line; empty if it is nothing.
pub(super) fn skipped_note(skipped: &Skipped) -> String {
    if skipped.is_empty() { String::new() } else { format!("note: {skipped}") }
}

/// A number with its noun.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
