use std::fmt;

/// What was met in the folder and left out, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Links, which are never followed.
    pub links: usize,
    /// Pipes, sockets and devices named like documents.
    pub special: usize,
    /// Files whose path holds control characters, backslashes or bytes that are not UTF-8, or is over
    /// 1000 characters long.
    pub unnameable: usize,
    /// Documents that are not text. Only a search looks.
    pub binary: usize,
    /// Documents over [`MAX_DOC_BYTES`](super::MAX_DOC_BYTES). Only a search looks.
    pub too_large: usize,
    /// Files and folders that the system refused to open or read.
    pub unreadable: usize,
}

impl Skipped {
    /// Whether nothing was left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Writes, for example, `skipped 1 binary file, 2 links`.
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.binary, "binary file", "binary files"),
            (self.too_large, "file that is too large", "files that are too large"),
            (self.links, "link", "links"),
            (self.special, "file that is not regular", "files that are not regular"),
            (self.unnameable, "file with an unusual name", "files with unusual names"),
            (self.unreadable, "entry that cannot be read", "entries that cannot be read"),
        ];
        let mut separator = "skipped ";
        for (count, one, many) in reasons.into_iter().filter(|(count, ..)| *count > 0) {
            write!(f, "{separator}{count} {}", if count == 1 { one } else { many })?;
            separator = ", ";
        }
        Ok(())
    }
}
