//! The files a run leaves: its transcript and its trace.

use std::fs::File;
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
    /// Beside the path, to be moved there.
    Beside(NamedTempFile),
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
            Place::Beside(mut file) => {
                writeln!(file, "{json}")?;
                file.persist(&self.path)?;
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
        _ => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let mut file = tempfile::Builder::new();
            #[cfg(unix)]
            file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            file.tempfile_in(folder.unwrap_or(Path::new("."))).map(Place::Beside)
        }
    }
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
