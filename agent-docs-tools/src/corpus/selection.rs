use std::path::Path;

use ignore::overrides::{Override, OverrideBuilder};

use super::error::DocsError;

/// The documents of a folder that was opened without further patterns.
const MARKDOWN: &str = "*.md";

/// Never a document: it answers no question, and its common words would fill every search.
const LICENCE: &str = "!LICENSE.md";

/// Which files are documents, told by their path alone; one rule for listing, searching and reading.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    globs: Vec<String>,
    matcher: Override,
}

impl Selection {
    pub(super) fn markdown() -> Result<Self, DocsError> {
        Self::new(vec![MARKDOWN.to_owned()])
    }

    pub(super) fn widened(
        self,
        globs: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, DocsError> {
        let more = globs.into_iter().map(|glob| glob.as_ref().to_owned());
        Self::new(self.globs.into_iter().chain(more).collect())
    }

    fn new(globs: Vec<String>) -> Result<Self, DocsError> {
        let mut builder = OverrideBuilder::new("");
        // The last matching glob decides, so no `--glob` brings the licence back.
        for glob in globs.iter().map(String::as_str).chain([LICENCE]) {
            builder.add(glob).map_err(|source| DocsError::Glob { source })?;
        }
        let matcher = builder.build().map_err(|source| DocsError::Glob { source })?;
        Ok(Self { globs, matcher })
    }

    /// The patterns, as a person wrote them.
    pub(super) fn globs(&self) -> String {
        self.globs.join(", ")
    }

    /// Whether documents are looked for in the folder of this relative path.
    pub(super) fn has_folder(&self, path: &Path) -> bool {
        !is_hidden(path) && !self.matcher.matched(path, true).is_ignore()
    }

    /// Whether the file of this relative path is a document, if its folders are looked into.
    pub(super) fn has_file(&self, path: &Path) -> bool {
        !is_hidden(path) && self.matcher.matched(path, false).is_whitelist()
    }
}

/// Whether the last component of a path is hidden.
pub(super) fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}
