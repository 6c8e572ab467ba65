//! The file that keeps a run while a call of it waits for approval.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use agent_core::agent::{PendingCall, SavedRun};
use tempfile::NamedTempFile;

use super::failure::Failure;
use super::records;

/// The file that keeps a run while a call of it waits for approval. It holds arguments as they are,
/// so it is for its owner alone.
///
/// Once there is a decision the file is removed, before any call is run: a run that is gone on with
/// twice would call twice. Of those who decide, the one who removes it goes on.
#[derive(Debug)]
pub(crate) struct PendingFile {
    path: PathBuf,
    /// What the file holds.
    held: Mutex<Option<Held>>,
}

#[derive(Debug, PartialEq)]
struct Held {
    run: String,
    calls: Vec<PendingCall>,
}

impl Held {
    fn of(run: &SavedRun) -> Self {
        Self { run: run.id().to_owned(), calls: run.pending().to_vec() }
    }
}

impl PendingFile {
    /// A file for a new run. It is refused where a run waits already, or where none could be kept.
    pub(crate) fn create(path: PathBuf) -> Result<Self, Failure> {
        if path.symlink_metadata().is_ok() {
            return Err(Failure::Usage(format!(
                "there is a file {0} already; go on with the run it keeps, docs-agent resume {0}, or give --pending another",
                path.display()
            )));
        }
        match new_beside(&path) {
            Ok(_) => Ok(Self { path, held: Mutex::default() }),
            Err(source) => Err(Failure::Write { path, source }),
        }
    }

    /// The file of a run that waits, and the run.
    pub(crate) fn open(path: PathBuf) -> Result<(Self, SavedRun), Failure> {
        let json = match fs::read_to_string(&path) {
            Ok(json) => json,
            Err(source) => return Err(Failure::Read { path, source }),
        };
        match serde_json::from_str::<SavedRun>(&json) {
            Ok(run) if run.pending().is_empty() => {
                let source = serde::de::Error::custom("none of its calls waits for approval");
                Err(Failure::Pending { path, source })
            }
            Ok(run) => {
                let held = Mutex::new(Some(Held::of(&run)));
                Ok((Self { path, held }, run))
            }
            Err(source) => Err(Failure::Pending { path, source }),
        }
    }

    /// Where the run waits, while it does.
    pub(crate) fn waiting(&self) -> Option<&Path> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().map(|_| self.path.as_path())
    }

    /// Keeps the run, unless the file holds it as it is.
    pub(crate) fn keep(&self, run: &SavedRun) -> Result<(), Failure> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Held::of(run);
        if held.as_ref() == Some(&now) {
            return Ok(());
        }
        write(&self.path, run)
            .map_err(|source| Failure::Write { path: self.path.clone(), source })?;
        *held = Some(now);
        Ok(())
    }

    /// Removes the file, since there is a decision.
    pub(crate) fn release(&self) -> Result<(), Failure> {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = None;
        fs::remove_file(&self.path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => Failure::Taken(self.path.clone()),
            _ => Failure::Write { path: self.path.clone(), source },
        })
    }
}

/// In one piece: whoever looks finds the old file or the new one.
fn write(path: &Path, run: &SavedRun) -> io::Result<()> {
    let json = serde_json::to_string(run)?;
    let mut file = new_beside(path)?;
    writeln!(file, "{json}")?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// A file that only its owner may read, to be moved to `path`.
fn new_beside(path: &Path) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(records::folder(path).canonicalize()?)
}
