use agent_core::tool;

use super::page::{LOSSY_NOTE, Page, counted, room, skipped_note};
use crate::corpus::{Docs, DocsError, FileMatches, Hit};

/// How many matching lines are shown.
const MAX_HITS: usize = 20;

/// Finds the lines that hold a word or phrase.
///
/// # Errors
///
/// When the keyword is empty, too long or more than one line. To find nothing is not an error.
#[tool(
    "Find the lines of all docs files that hold a keyword, as `path:line: text`. At most 20 are shown.",
    read_only,
    tags("docs")
)]
pub fn grep_docs(
    #[state] docs: &Docs,
    /// A word or phrase as it stands in one line: no pattern, upper and lower case alike.
    keyword: &str,
) -> Result<String, DocsError> {
    let found = docs.search(keyword, MAX_HITS)?;
    let skipped = skipped_note(&found.skipped);
    let mut page = Page::default();
    if found.files.is_empty() {
        page.push(&format!(
            "no line holds `{keyword}`, in upper or lower case ({} searched); \
             try one word of it, another form or a synonym",
            counted(found.searched, "doc", "docs")
        ));
    } else {
        push_hits(&mut page, &found.files, room(&skipped));
    }
    page.push(&skipped);
    Ok(page.into_text())
}

fn push_hits(page: &mut Page, files: &[FileMatches], kept: usize) {
    let total = files.iter().map(|file| file.lines).sum();
    let kept = kept + room(&more(total, files.len())) + room(LOSSY_NOTE);
    let (mut full, mut lossy, mut unshown, mut unshown_files) = (false, false, 0, 0);
    for file in files {
        let line = |hit: &Hit| format!("{}:{}: {}", file.path, hit.line, hit.text);
        let shown = file.hits.iter().take_while(|hit| !full && page.fit(&line(hit), kept)).count();
        full |= shown < file.hits.len();
        lossy |= file.hits.iter().take(shown).any(|hit| hit.lossy);
        unshown += file.lines - shown;
        unshown_files += usize::from(file.lines > shown);
    }
    if unshown > 0 {
        page.push(&more(unshown, unshown_files));
    }
    if lossy {
        page.push(LOSSY_NOTE);
    }
}

fn more(matches: usize, files: usize) -> String {
    format!(
        "{} in {}; a longer keyword finds fewer",
        counted(matches, "more match", "more matches"),
        counted(files, "file", "files")
    )
}
