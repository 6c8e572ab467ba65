use std::path::{MAIN_SEPARATOR_STR, Path};

use ignore::{DirEntry, WalkBuilder};

use super::doc_path::is_nameable;
use super::selection::{Selection, is_hidden};
use super::skipped::Skipped;

/// The documents of a folder.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Listing {
    /// Relative, `/`-separated paths, sorted by their components.
    pub paths: Vec<String>,
    /// What else was met.
    pub skipped: Skipped,
}

/// Lists what `selection` has in `root`, without following a link.
pub(super) fn walk(root: &Path, selection: &Selection) -> Listing {
    let mut listing = Listing::default();
    for entry in walker(root, selection) {
        match entry {
            Ok(entry) => listing.add(root, selection, &entry),
            Err(_) => listing.skipped.unreadable += 1,
        }
    }
    listing
}

/// Ignore files and the walker's own sense of hidden are off: [`Selection`] is the only rule.
fn walker(root: &Path, selection: &Selection) -> ignore::Walk {
    let (base, selection) = (root.to_owned(), selection.clone());
    WalkBuilder::new(root)
        .standard_filters(false)
        .follow_links(false)
        .sort_by_file_name(|a, b| a.cmp(b))
        .filter_entry(move |entry| {
            entry.depth() == 0 || !is_folder(entry) || selection.has_folder(relative(entry, &base))
        })
        .build()
}

impl Listing {
    fn add(&mut self, root: &Path, selection: &Selection, entry: &DirEntry) {
        let path = relative(entry, root);
        if entry.depth() == 0 || is_folder(entry) {
            return;
        }
        if entry.path_is_symlink() {
            // What a link leads to is not looked at, so its name need not match.
            self.skipped.links += usize::from(!is_hidden(path));
            return;
        }
        if !selection.has_file(path) {
            return;
        }
        match path.to_str().map(|path| path.replace(MAIN_SEPARATOR_STR, "/")) {
            _ if !entry.file_type().is_some_and(|kind| kind.is_file()) => self.skipped.special += 1,
            Some(path) if is_nameable(&path) => self.paths.push(path),
            _ => self.skipped.unnameable += 1,
        }
    }
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn relative<'a>(entry: &'a DirEntry, root: &Path) -> &'a Path {
    entry.path().strip_prefix(root).unwrap_or(entry.path())
}
