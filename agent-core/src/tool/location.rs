//! Where a tool is written.

use std::fmt;

/// A place in source code, shown as `file:line`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    pub(crate) file: &'static str,
    pub(crate) line: u32,
}

impl Location {
    /// Where the function is called that calls this one, both being `#[track_caller]`.
    #[track_caller]
    pub(crate) fn caller() -> Self {
        let caller = std::panic::Location::caller();
        Self { file: caller.file(), line: caller.line() }
    }

    /// The file, as the compiler was given it.
    #[must_use]
    pub fn file(self) -> &'static str {
        self.file
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(self) -> u32 {
        self.line
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
