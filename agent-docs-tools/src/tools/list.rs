use agent_core::tool;

use super::page::{Page, room, skipped_note};
use crate::corpus::{Docs, DocsError};

/// Lists the documents from the `start`th on, as many as fit.
///
/// # Errors
///
/// When `start` is 0 or past the last document.
#[tool(
    "List the docs files, one path a line. A long list comes in pages and says where to go on.",
    read_only,
    tags("docs")
)]
pub fn list_docs(
    #[state] docs: &Docs,
    /// Which file to begin with, counted from 1.
    #[arg(default = 1, range = 1..)]
    start: u32,
) -> Result<String, DocsError> {
    let listing = docs.list();
    let total = listing.paths.len();
    let before = start.checked_sub(1).ok_or(DocsError::StartIsZero)? as usize;
    if before > 0 && before >= total {
        return Err(DocsError::PagePastEnd { start, docs: total });
    }
    let skipped = skipped_note(&listing.skipped);
    // The longest that the note of this page can be, as `last` is not known yet.
    let kept = room(&position(total, total, total + 1)) + room(&skipped);

    let mut page = Page::default();
    let mut last = before;
    for path in listing.paths.iter().skip(before) {
        if !page.fit(path, kept) {
            break;
        }
        last += 1;
    }
    if total == 0 {
        page.push("there are no docs in this folder");
    } else if before > 0 || last < total {
        page.push(&position(before + 1, last, total));
    }
    page.push(&skipped);
    Ok(page.into_text())
}

/// Which documents a page holds, and where the next begins.
fn position(first: usize, last: usize, total: usize) -> String {
    let mut position = format!("docs {first}-{last} of {total}");
    if last < total {
        position += &format!("; go on with start={}", last + 1);
    }
    position
}
