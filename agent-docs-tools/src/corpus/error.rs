use std::io;
use std::path::PathBuf;

use super::doc_path::MAX_PATH_CHARS;

/// How much of a path that a model made up is repeated to it.
const SHOWN_PATH_CHARS: usize = 200;

/// Why the documents could not be listed, searched or read.
///
/// The message is written for a model: it says what was wrong and what to call next. Of places outside
/// the folder it tells nothing, not even whether they exist.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "a field is what its message says it is")]
pub enum DocsError {
    /// The folder of documents cannot be opened.
    #[error("cannot open the docs folder {}", folder.display())]
    Open { folder: PathBuf, source: io::Error },

    /// A file pattern cannot be read.
    #[error("a file pattern cannot be read")]
    Glob { source: ignore::Error },

    /// A path with characters that no document's path has.
    #[error(
        "invalid path: it holds a control character; call list_docs and give a path as it prints it"
    )]
    InvalidPath,

    /// A path that leads, or could lead, outside the folder.
    #[error(
        "the path is outside the docs folder: absolute paths, `..` and links are not followed; \
         call list_docs and give a path as it prints it"
    )]
    Outside,

    /// Nothing has this path.
    #[error("not found: {}; {}", shown(path), nearest_hint(nearest))]
    NotFound { path: String, nearest: Vec<String> },

    /// A folder where a document was due.
    #[error("{} is a folder; call list_docs and give the path of a file in it", shown(path))]
    Folder { path: String },

    /// A pipe, socket or device where a document was due.
    #[error("{} is not a regular file; call list_docs to see what can be read", shown(path))]
    NotRegular { path: String },

    /// A file that is hidden or matches no pattern.
    #[error(
        "{} is not one of the docs, which are {globs} without hidden files and LICENSE.md; \
         call list_docs to see what can be read",
        shown(path)
    )]
    NotADoc { path: String, globs: String },

    /// A file that is left out for its path: it holds a backslash or is too long.
    #[error(
        "{} has an unusual name (with a backslash, or over {} characters with its folders), so no \
         tool reads it; call list_docs to see what can be read",
        shown(path),
        MAX_PATH_CHARS
    )]
    UnusualName { path: String },

    /// A document that is not text.
    #[error("{} is a binary file, not text; call list_docs and choose another", shown(path))]
    Binary { path: String },

    /// A document over [`MAX_DOC_BYTES`](super::MAX_DOC_BYTES).
    #[error(
        "{} is too large to read (over {} MiB); call list_docs and choose another",
        shown(path),
        super::MAX_DOC_BYTES / (1024 * 1024)
    )]
    TooLarge { path: String },

    /// The system refused to open or read a document.
    #[error("cannot read {}", shown(path))]
    Unreadable { path: String, source: io::Error },

    /// Lines and pages are counted from 1.
    #[error("`start` is counted from 1; call again with start=1 or more")]
    StartIsZero,

    /// A range of lines that ends before it starts.
    #[error("`end` ({end}) is before `start` ({start}); call again with end={start} or more")]
    EndBeforeStart { start: u32, end: u32 },

    /// A range of lines that starts after the last line.
    #[error(
        "`start` ({start}) is past the end: {} has {lines} lines; call again with start={lines} or less",
        shown(path)
    )]
    StartPastEnd { path: String, start: u32, lines: usize },

    /// A page of the list that starts after the last document.
    #[error("`start` ({start}) is past the end: there are {docs} docs; call again with start=1")]
    PagePastEnd { start: u32, docs: usize },

    /// Nothing to search for.
    #[error("`keyword` is empty; call again with a word or phrase to look for")]
    EmptyKeyword,

    /// A search goes line by line.
    #[error(
        "`keyword` holds a line break, but the search is line by line; call again with one line of it"
    )]
    KeywordLineBreak,

    /// A keyword that no line would hold.
    #[error(
        "`keyword` is {chars} characters long, {max} is the most; call again with a few words of it"
    )]
    KeywordTooLong { chars: usize, max: usize },

    /// The search engine did not take the keyword.
    #[error("`keyword` cannot be searched for; call again with a plain word")]
    Keyword { source: grep_regex::Error },
}

fn shown(path: &str) -> String {
    match path.char_indices().nth(SHOWN_PATH_CHARS) {
        Some((cut, _)) => format!("`{}…`", path.get(..cut).unwrap_or_default()),
        None => format!("`{path}`"),
    }
}

fn nearest_hint(nearest: &[String]) -> String {
    match nearest {
        [] => "call list_docs and give a path as it prints it".to_owned(),
        [only] => format!("did you mean `{only}`? call again with that path, or call list_docs"),
        several => format!(
            "did you mean one of `{}`? call again with one of these, or call list_docs",
            several.join("`, `")
        ),
    }
}
