//! A folder of documents, read only from within.
//!
//! A path is decided by its real components: absolute paths, `..` and links are refused, every file is
//! opened relative to a handle of the folder above it, and only files that [`Docs::list`] names can be
//! read or searched. Hidden files and folders, and every `LICENSE.md`, are not documents.

mod containment;
mod doc_path;
mod error;
mod excerpt;
mod nearest;
mod search;
mod selection;
mod skipped;
mod text;
mod walk;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

pub use self::error::DocsError;
pub use self::search::{FileMatches, Hit, Search};
use self::selection::Selection;
pub use self::skipped::Skipped;
pub use self::text::{Line, Text};
pub use self::walk::Listing;

/// The largest document that is read; a larger one is an error, not a cut.
pub const MAX_DOC_BYTES: u64 = 16 * 1024 * 1024;

/// An opened folder of documents.
#[derive(Debug)]
pub struct Docs {
    root: PathBuf,
    dir: Dir,
    selection: Selection,
}

impl Docs {
    /// Opens a folder whose documents are its `*.md` files, at any depth.
    ///
    /// # Errors
    ///
    /// When `folder` is missing, cannot be opened or is not a folder.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, DocsError> {
        let folder = folder.as_ref();
        let cannot_open = |source| DocsError::Open { folder: folder.to_owned(), source };
        let root = folder.canonicalize().map_err(cannot_open)?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority()).map_err(cannot_open)?;
        Ok(Self { root, dir, selection: Selection::markdown()? })
    }

    /// Widens the documents by more file patterns, as `rg --glob` reads them: `*.txt` anywhere,
    /// `/notes/*.txt` from the folder's top, `!drafts/` to leave something out again.
    ///
    /// # Errors
    ///
    /// When a pattern cannot be read.
    pub fn with_globs(
        self,
        globs: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Self, DocsError> {
        Ok(Self { selection: self.selection.widened(globs)?, ..self })
    }

    /// Lists the documents, sorted by path components.
    pub fn list(&self) -> Listing {
        walk::walk(&self.root, &self.selection)
    }

    /// Reads one document whole.
    ///
    /// # Errors
    ///
    /// When the path leads outside the folder, names no document, or the document is not text.
    pub fn read(&self, path: &str) -> Result<Text, DocsError> {
        let mut bytes = Vec::new();
        self.open_doc(path)?.read_into(&mut bytes).map_err(|refusal| refusal.into_error(path))?;
        Ok(Text::new(bytes))
    }
}
