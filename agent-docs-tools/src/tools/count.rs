use crate::corpus::{Docs, DocsError};

/// Counts the lines of one document.
///
/// # Errors
///
/// When the path leads outside the folder or names no document.
pub fn count_lines(docs: &Docs, path: &str) -> Result<usize, DocsError> {
    Ok(docs.read(path)?.line_count())
}
