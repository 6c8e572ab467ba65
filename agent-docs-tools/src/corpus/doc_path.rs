use std::path::Path;

use super::error::DocsError;

/// A longer path would crowd out what a result is for, in characters.
pub(super) const MAX_PATH_CHARS: usize = 1000;

/// A path that cannot lead upwards or away: relative, `/`-separated, without `..`.
#[derive(Debug)]
pub(super) struct DocPath<'a> {
    components: Vec<&'a str>,
}

impl<'a> DocPath<'a> {
    /// Reads a path as a model gave it. A backslash separates nothing, but hides no `..` either.
    pub(super) fn parse(path: &'a str) -> Result<Self, DocsError> {
        if path.contains(char::is_control) {
            return Err(DocsError::InvalidPath);
        }
        if is_absolute(path) || path.split(['/', '\\']).any(|component| component == "..") {
            return Err(DocsError::Outside);
        }
        let components = path.split('/').filter(|c| !c.is_empty() && *c != ".").collect();
        Ok(Self { components })
    }

    /// The folders above the file, and the file's name; `None` for the folder of documents itself.
    pub(super) fn split(&self) -> Option<(&[&'a str], &'a str)> {
        let (name, folders) = self.components.split_last()?;
        Some((folders, name))
    }

    /// Whether a document of this path is one that [`is_nameable`] lets be listed.
    pub(super) fn is_nameable(&self) -> bool {
        is_nameable(&self.components.join("/"))
    }
}

/// Whether a path found in the folder can be written as a [`DocPath`], on one short line, on every system.
pub(super) fn is_nameable(path: &str) -> bool {
    !path.contains(|c: char| c.is_control() || c == '\\') && path.chars().count() <= MAX_PATH_CHARS
}

fn is_absolute(path: &str) -> bool {
    let drive =
        matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    drive || path.starts_with(['/', '\\']) || Path::new(path).is_absolute()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(path: &str) -> Vec<&str> {
        DocPath::parse(path).unwrap().components
    }

    #[test]
    fn dots_and_doubled_slashes_change_nothing() {
        assert_eq!(components("./a//b.md/"), ["a", "b.md"]);
        assert_eq!(components("."), [] as [&str; 0]);
    }

    #[test]
    fn percent_encoding_is_not_decoded() {
        assert_eq!(components("%2e%2e/a.md"), ["%2e%2e", "a.md"]);
    }

    #[test]
    fn every_way_out_is_refused_in_the_same_words() {
        for path in [
            "..",
            "../a.md",
            "a/../b.md",
            "a/..",
            r"..\a.md",
            r"a\..\b.md",
            "/a.md",
            "//a.md",
            r"\a.md",
            r"\\host\share\a.md",
            r"C:\a.md",
            "c:/a.md",
        ] {
            assert!(matches!(DocPath::parse(path), Err(DocsError::Outside)), "{path}");
        }
    }

    #[test]
    fn control_characters_are_refused() {
        for path in ["a\0.md", "\0", "a\nb.md", "a\u{1b}.md"] {
            assert!(matches!(DocPath::parse(path), Err(DocsError::InvalidPath)), "{path:?}");
        }
    }
}
