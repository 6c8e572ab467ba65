//! What the tool results of a transcript have told about the documents.

use std::collections::BTreeMap;

use super::replies::{self, Found};

/// A call the planner makes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Call {
    /// Which documents there are.
    List,
    /// Where a keyword stands.
    Search(String),
    /// Lines of a document, both ends included.
    Read { path: String, start: usize, end: usize },
}

/// What is known of one document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page {
    pub(crate) lines: BTreeMap<usize, String>,
    /// Its last line, once that has been seen.
    pub(crate) end: Option<usize>,
}

/// Everything that is known of the documents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    /// The documents that were listed.
    pub(crate) paths: Vec<String>,
    /// How many documents there are.
    pub(crate) files: usize,
    /// What was searched.
    pub(crate) searches: BTreeMap<String, Found>,
    /// What was read.
    pub(crate) pages: BTreeMap<String, Page>,
    done: Vec<Call>,
}

impl Notes {
    /// Takes down what a call gave back. A list of documents should come before searches: it tells paths from text.
    pub(crate) fn record(&mut self, call: Call, result: &str) {
        match &call {
            Call::List => {
                let (paths, files) = replies::paths(result);
                self.paths = paths;
                self.files = files;
            }
            Call::Search(keyword) => {
                self.searches.insert(keyword.clone(), replies::found(result, &self.paths));
            }
            Call::Read { path, end, .. } => self.record_page(path, *end, result),
        }
        self.done.push(call);
    }

    fn record_page(&mut self, path: &str, asked_end: usize, result: &str) {
        let read = replies::lines(result);
        let Some(last) = read.lines.last().map(|(number, _)| *number) else { return };
        let page = self.pages.entry(path.to_owned()).or_default();
        page.lines.extend(read.lines);
        if !read.goes_on && last < asked_end {
            page.end = Some(last);
        }
    }

    /// Whether this call has been answered before.
    pub(crate) fn is_done(&self, call: &Call) -> bool {
        self.done.contains(call)
    }

    /// Whether the line of a document has been read.
    pub(crate) fn has_read(&self, path: &str, line: usize) -> bool {
        self.pages.get(path).is_some_and(|page| page.lines.contains_key(&line))
    }
}
