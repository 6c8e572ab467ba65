//! What the tool results of a transcript have told about the documents.

use std::collections::BTreeMap;

use super::call::Call;
use super::replies::{self, Found};

/// What is known of the documents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    /// The documents that were listed.
    pub(crate) paths: Vec<String>,
    /// How many documents there are, listed or not.
    pub(crate) files: usize,
    /// What the searches found, by keyword.
    pub(crate) searches: BTreeMap<String, Found>,
    /// What was read, by path.
    pub(crate) pages: BTreeMap<String, Page>,
    done: Vec<Call>,
}

/// What is known of one document.
#[derive(Debug, Clone, Default)]
pub(crate) struct Page {
    /// The lines that were read, by number.
    pub(crate) lines: BTreeMap<usize, String>,
    /// The number of its last line, once that has been read.
    pub(crate) end: Option<usize>,
}

impl Notes {
    /// Takes down what a call gave back, nothing for an error. A list should come before searches: it tells paths from text.
    pub(crate) fn record(&mut self, call: Call, result: &str) {
        match &call {
            Call::List { .. } => {
                let (paths, files) = replies::paths(result);
                self.paths.extend(paths);
                self.files = self.files.max(files);
            }
            Call::Search { keyword } => {
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

    /// Whether this line of a document has been read.
    pub(crate) fn has_read(&self, path: &str, line: usize) -> bool {
        self.pages.get(path).is_some_and(|page| page.lines.contains_key(&line))
    }
}

impl Page {
    /// The first line from `line` on that has not been read; none at the end of the document.
    pub(crate) fn first_unread(&self, line: usize) -> Option<usize> {
        let unread = (line..).find(|number| !self.lines.contains_key(number))?;
        self.end.is_none_or(|end| unread <= end).then_some(unread)
    }
}
