//! The files a run leaves: its transcript and its trace.

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use agent_core::chat::ChatMessage;
use agent_core::{Event, Transcript};
use tempfile::NamedTempFile;

use super::failure::Failure;

/// The file that is to hold the transcript.
///
/// It is prepared before the run, since a run may be dear and a path that cannot be written should
/// not cost one; what stood there before stays until the new transcript is whole.
#[derive(Debug)]
pub(crate) struct TranscriptFile {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// Beside the target, to be moved there.
    Beside { target: PathBuf, file: NamedTempFile },
    /// What is no file, such as a terminal, is written to as it is.
    There(File),
}

impl TranscriptFile {
    pub(crate) fn create(path: PathBuf) -> Result<Self, Failure> {
        match prepare(&path) {
            Ok(place) => Ok(Self { path, place }),
            Err(source) => Err(Failure::Write { path, source }),
        }
    }

    /// Writes the messages as a list in Chat Completions form.
    pub(crate) fn write(self, transcript: &Transcript) -> Result<(), Failure> {
        let messages: Vec<ChatMessage<'_>> = transcript.messages().iter().map(Into::into).collect();
        let json = serde_json::to_string_pretty(&messages).map_err(io::Error::from);
        let written = json.and_then(|json| match self.place {
            Place::Beside { target, mut file } => {
                writeln!(file, "{json}")?;
                file.persist(target)?;
                Ok(())
            }
            Place::There(mut file) => writeln!(file, "{json}"),
        });
        written.map_err(|source| Failure::Write { path: self.path, source })
    }
}

fn prepare(path: &Path) -> io::Result<Place> {
    match path.metadata() {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() => Ok(Place::There(File::options().write(true).open(path)?)),
        there => {
            let target = target(path)?;
            let file = match there {
                Ok(there) => successor(&target, &there)?,
                Err(_) => fresh(&target)?,
            };
            Ok(Place::Beside { target, file })
        }
    }
}

/// A file to take the place of `target`, with its permissions, if that may be written.
fn successor(target: &Path, there: &Metadata) -> io::Result<NamedTempFile> {
    if there.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    File::options().write(true).open(target)?;
    let file = NamedTempFile::new_in(folder(target))?;
    file.as_file().set_permissions(there.permissions())?;
    Ok(file)
}

/// A file for a place where there is none.
fn fresh(target: &Path) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    file.tempfile_in(folder(target))
}

/// Refuses files of which one would be written over another.
pub(crate) fn all_differ(files: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let given: Vec<(&str, &Path)> =
        files.iter().filter_map(|(name, path)| Some((*name, (*path)?))).collect();
    for (index, (name, path)) in given.iter().enumerate() {
        if let Some((other, _)) = given.iter().skip(index + 1).find(|(_, it)| is_same(path, it)) {
            return Err(Failure::Usage(format!(
                "{name} and {other} name one file; give each its own"
            )));
        }
    }
    Ok(())
}

/// Whether two paths lead to one place.
fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((target(a), target(b)), (Ok(a), Ok(b)) if a == b)
}

/// Where a path leads, through links; there need be nothing yet.
fn target(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        found => return found,
    }
    if let Ok(link) = path.read_link() {
        return target(&folder(path).join(link));
    }
    let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
    Ok(folder(path).canonicalize()?.join(name))
}

/// The folder that a path is in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file that takes each event as it happens, a line each.
#[derive(Debug)]
pub(crate) struct TraceFile {
    path: PathBuf,
    file: File,
    /// A run goes on without its trace; what went wrong is told in the end.
    failure: Mutex<Option<io::Error>>,
}

impl TraceFile {
    pub(crate) fn create(path: PathBuf) -> Result<Self, Failure> {
        match File::create(&path) {
            Ok(file) => Ok(Self { path, file, failure: Mutex::default() }),
            Err(source) => Err(Failure::Write { path, source }),
        }
    }

    /// Adds an event and a line break, in one piece.
    pub(crate) fn add(&self, event: &Event) {
        let json = serde_json::to_string(event).map_err(io::Error::from);
        let written = json.and_then(|json| (&self.file).write_all(format!("{json}\n").as_bytes()));
        if let Err(error) = written {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    /// Tells whether every event was written.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        match self.failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(source) => Err(Failure::Write { path: self.path.clone(), source }),
            None => Ok(()),
        }
    }
}
