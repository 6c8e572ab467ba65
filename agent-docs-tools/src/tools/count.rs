use agent_core::tool;

use crate::corpus::{Docs, DocsError};

/// Counts the lines of one document.
///
/// # Errors
///
/// When the path leads outside the folder or names no document.
#[tool("Count the lines of one docs file.", read_only, tags("docs"))]
pub fn count_lines(
    #[state] docs: &Docs,
    /// File path, as list_docs or grep_docs print it.
    path: &str,
) -> Result<usize, DocsError> {
    Ok(docs.read(path)?.line_count())
}
