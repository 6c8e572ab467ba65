//! The one way to a document's bytes. Each folder on the path is opened from the handle of the one
//! above it and never through a link, so a tree that changes meanwhile cannot lead outside.

use std::io::{self, Read};
use std::path::PathBuf;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, OpenOptions};

use super::doc_path::DocPath;
use super::error::DocsError;
use super::selection::is_hidden;
use super::skipped::Skipped;
use super::{Docs, MAX_DOC_BYTES, nearest};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Docs {
    /// Opens the document of a path that a model gave.
    pub(super) fn open_doc(&self, path: &str) -> Result<OpenDoc, DocsError> {
        let parsed = DocPath::parse(path)?;
        let Some((folders, name)) = parsed.split() else {
            return Err(DocsError::Folder { path: path.to_owned() });
        };
        let (parent, mut at) = self.open_parent(folders, path)?;
        at.push(name);
        if is_hidden(&at) {
            return Err(self.not_a_doc(path));
        }
        match self.kind(&parent, name, path)? {
            Kind::File if !parsed.is_nameable() => {
                Err(DocsError::UnusualName { path: path.to_owned() })
            }
            Kind::File if self.selection.has_file(&at) => {
                OpenDoc::open(&parent, name).map_err(|refusal| refusal.into_error(path))
            }
            Kind::File => Err(self.not_a_doc(path)),
            Kind::Folder => Err(DocsError::Folder { path: path.to_owned() }),
            Kind::Other => Err(DocsError::NotRegular { path: path.to_owned() }),
        }
    }

    /// Opens the folders of `path` one by one; gives the last and where it is.
    fn open_parent(&self, folders: &[&str], path: &str) -> Result<(Dir, PathBuf), DocsError> {
        let unreadable = |error| Refusal::Io(error).into_error(path);
        let mut dir = self.dir.try_clone().map_err(unreadable)?;
        let mut at = PathBuf::new();
        for folder in folders {
            at.push(folder);
            if !self.selection.has_folder(&at) {
                return Err(self.not_a_doc(path));
            }
            let Kind::Folder = self.kind(&dir, folder, path)? else {
                return Err(self.not_found(path));
            };
            dir = dir.open_dir_nofollow(folder).map_err(unreadable)?;
        }
        Ok((dir, at))
    }

    /// What `name` is in `dir`. A link is refused here, before anything is learnt of where it leads.
    fn kind(&self, dir: &Dir, name: &str, path: &str) -> Result<Kind, DocsError> {
        let Ok(metadata) = dir.symlink_metadata(name) else {
            return Err(self.not_found(path));
        };
        match metadata.file_type() {
            kind if kind.is_symlink() => Err(DocsError::Outside),
            kind if kind.is_dir() => Ok(Kind::Folder),
            kind if kind.is_file() => Ok(Kind::File),
            _ => Ok(Kind::Other),
        }
    }

    fn not_found(&self, path: &str) -> DocsError {
        let nearest = nearest::nearest(path, self.list().paths);
        DocsError::NotFound { path: path.to_owned(), nearest }
    }

    fn not_a_doc(&self, path: &str) -> DocsError {
        DocsError::NotADoc { path: path.to_owned(), globs: self.selection.globs() }
    }
}

enum Kind {
    File,
    Folder,
    Other,
}

/// Opens listed documents one after another, keeping the folder of the last one open: in a sorted
/// list most neighbours share it.
#[derive(Debug)]
pub(super) struct Opener<'a> {
    docs: &'a Docs,
    kept: Option<(String, Dir)>,
}

impl<'a> Opener<'a> {
    pub(super) fn new(docs: &'a Docs) -> Self {
        Self { docs, kept: None }
    }

    pub(super) fn open(&mut self, listed: &str) -> Result<OpenDoc, Refusal> {
        let Some((parent, name)) = listed.rsplit_once('/') else {
            return OpenDoc::open(&self.docs.dir, listed);
        };
        let dir = match self.kept.take() {
            Some((kept, dir)) if kept == parent => dir,
            _ => self.open_folder(parent)?,
        };
        let doc = OpenDoc::open(&dir, name);
        self.kept = Some((parent.to_owned(), dir));
        doc
    }

    fn open_folder(&self, listed: &str) -> Result<Dir, Refusal> {
        let mut dir = self.docs.dir.try_clone()?;
        for folder in listed.split('/') {
            dir = dir.open_dir_nofollow(folder)?;
        }
        Ok(dir)
    }
}

/// A document that is a regular file of a readable size.
#[derive(Debug)]
pub(super) struct OpenDoc {
    file: File,
    len: u64,
}

impl OpenDoc {
    fn open(dir: &Dir, name: &str) -> Result<Self, Refusal> {
        let mut options = OpenOptions::new();
        // A pipe put in the file's place must not make the open wait for a writer.
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = dir.open_with(name, &options)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(Refusal::NotRegular);
        }
        if metadata.len() > MAX_DOC_BYTES {
            return Err(Refusal::TooLarge);
        }
        Ok(Self { file, len: metadata.len() })
    }

    /// Replaces what `bytes` holds by the document, without its byte-order mark.
    pub(super) fn read_into(self, bytes: &mut Vec<u8>) -> Result<(), Refusal> {
        bytes.clear();
        bytes.reserve(usize::try_from(self.len).unwrap_or_default() + 1);
        // The file may have grown since its length was asked for.
        self.file.take(MAX_DOC_BYTES + 1).read_to_end(bytes)?;
        if bytes.len() as u64 > MAX_DOC_BYTES {
            return Err(Refusal::TooLarge);
        }
        if bytes.contains(&0) {
            return Err(Refusal::Binary);
        }
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(())
    }
}

/// Why a file in the folder is not read.
#[derive(Debug)]
pub(super) enum Refusal {
    NotRegular,
    TooLarge,
    Binary,
    Io(io::Error),
}

impl Refusal {
    pub(super) fn into_error(self, path: &str) -> DocsError {
        let path = path.to_owned();
        match self {
            Self::NotRegular => DocsError::NotRegular { path },
            Self::TooLarge => DocsError::TooLarge { path },
            Self::Binary => DocsError::Binary { path },
            Self::Io(source) => DocsError::Unreadable { path, source },
        }
    }

    pub(super) fn count(self, skipped: &mut Skipped) {
        *match self {
            Self::NotRegular => &mut skipped.special,
            Self::TooLarge => &mut skipped.too_large,
            Self::Binary => &mut skipped.binary,
            Self::Io(_) => &mut skipped.unreadable,
        } += 1;
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
