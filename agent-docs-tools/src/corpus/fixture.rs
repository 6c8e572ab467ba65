//! Folders of documents for tests.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Docs;

/// A folder of documents, and a place outside it.
pub(crate) struct Fixture {
    temp: TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        for folder in ["docs", "outside"] {
            std::fs::create_dir(temp.path().join(folder)).unwrap();
        }
        Self { temp }
    }

    /// Adds a file to the folder, with the folders above it.
    pub(crate) fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        write(&self.inside(path), content.as_ref());
        self
    }

    /// Adds a file beside the folder.
    pub(crate) fn outside_file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        write(&self.outside(path), content.as_ref());
        self
    }

    /// Adds a link in the folder.
    #[cfg(unix)]
    pub(crate) fn link(self, path: &str, target: impl AsRef<Path>) -> Self {
        std::os::unix::fs::symlink(target, self.inside(path)).unwrap();
        self
    }

    /// Adds a pipe in the folder, which nobody writes to.
    #[cfg(unix)]
    pub(crate) fn pipe(self, path: &str) -> Self {
        let status = std::process::Command::new("mkfifo").arg(self.inside(path)).status();
        assert!(status.unwrap().success());
        self
    }

    pub(crate) fn inside(&self, path: &str) -> PathBuf {
        self.temp.path().join("docs").join(path)
    }

    pub(crate) fn outside(&self, path: &str) -> PathBuf {
        self.temp.path().join("outside").join(path)
    }

    pub(crate) fn docs(&self) -> Docs {
        Docs::open(self.inside("")).unwrap()
    }
}

fn write(path: &Path, content: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}
