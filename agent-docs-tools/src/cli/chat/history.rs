//! Where what was typed is kept.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The file, in the user's folder for the state of programs; none if there is no such folder.
pub(super) fn file() -> Option<PathBuf> {
    let folder = if cfg!(windows) {
        absolute(env::var_os("LOCALAPPDATA"))
    } else {
        absolute(env::var_os("XDG_STATE_HOME"))
            .or_else(|| Some(env::home_dir()?.join(".local").join("state")))
    };
    folder.map(|folder| folder.join("docs-agent").join("history"))
}

/// A path that is not absolute is to be ignored, by the rules for these variables.
fn absolute(path: Option<OsString>) -> Option<PathBuf> {
    path.map(PathBuf::from).filter(|path| Path::is_absolute(path))
}
