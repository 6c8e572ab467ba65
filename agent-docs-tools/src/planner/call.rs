//! The calls the planner makes, and the tools they go to.

use agent_core::Arguments;
use serde_json::{Value, json};

/// A tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Call {
    /// Which documents there are, from the `start`th on.
    List { start: usize },
    /// Where a keyword stands.
    Search { keyword: String },
    /// Lines of a document, both ends included.
    Read { path: String, start: usize, end: usize },
}

impl Call {
    /// Where a keyword stands.
    pub(crate) fn search(keyword: impl Into<String>) -> Self {
        Self::Search { keyword: keyword.into() }
    }

    /// The name of the tool.
    pub(crate) fn tool(&self) -> &'static str {
        match self {
            Self::List { .. } => "list_docs",
            Self::Search { .. } => "grep_docs",
            Self::Read { .. } => "read_doc",
        }
    }

    pub(crate) fn arguments(&self) -> Value {
        match self {
            Self::List { start: 1 } => json!({}),
            Self::List { start } => json!({ "start": start }),
            Self::Search { keyword } => json!({ "keyword": keyword }),
            Self::Read { path, start, end } => json!({ "path": path, "start": start, "end": end }),
        }
    }

    /// The call a transcript tells of; none if the planner makes no such calls.
    pub(crate) fn from_transcript(tool: &str, arguments: &Arguments) -> Option<Self> {
        let text = |name| Some(arguments.get(name)?.as_str()?.to_owned());
        let number = |name| arguments.get(name)?.as_u64()?.try_into().ok();
        match tool {
            "list_docs" => Some(Self::List { start: number("start").unwrap_or(1) }),
            "grep_docs" => Some(Self::Search { keyword: text("keyword")? }),
            "read_doc" => Some(Self::Read {
                path: text("path")?,
                start: number("start")?,
                end: number("end")?,
            }),
            _ => None,
        }
    }
}
