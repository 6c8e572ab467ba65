use std::borrow::Cow;

/// The whole text of one document.
#[derive(Debug)]
pub struct Text {
    bytes: Vec<u8>,
}

/// One line, without its line break and without carriage returns.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// What the line says.
    pub text: Cow<'a, str>,
    /// Whether bytes that are not UTF-8 were replaced.
    pub lossy: bool,
}

impl Text {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes }
    }

    /// How many lines there are; a last one without a line break counts.
    pub fn line_count(&self) -> usize {
        let breaks = self.bytes.iter().filter(|byte| **byte == b'\n').count();
        let open_end = self.bytes.last().is_some_and(|byte| *byte != b'\n');
        breaks + usize::from(open_end)
    }

    /// The lines after the first `skipped` ones.
    pub fn lines_after(&self, skipped: usize) -> impl Iterator<Item = Line<'_>> {
        self.bytes.split_inclusive(|byte| *byte == b'\n').skip(skipped).map(Line::decode)
    }
}

impl<'a> Line<'a> {
    pub(super) fn decode(bytes: &'a [u8]) -> Self {
        let bytes = without_line_break(bytes);
        let text = String::from_utf8_lossy(bytes);
        let lossy = matches!(text, Cow::Owned(_));
        // A carriage return within a line would let a later part print over an earlier one.
        let text = if text.contains('\r') { text.replace('\r', " ").into() } else { text };
        Self { text, lossy }
    }
}

fn without_line_break(mut bytes: &[u8]) -> &[u8] {
    while let [rest @ .., b'\n' | b'\r'] = bytes {
        bytes = rest;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: impl AsRef<[u8]>) -> Text {
        Text::new(bytes.as_ref().to_owned())
    }

    fn lines(bytes: impl AsRef<[u8]>) -> Vec<String> {
        text(bytes).lines_after(0).map(|line| line.text.into_owned()).collect()
    }

    #[test]
    fn a_last_line_counts_with_and_without_a_line_break() {
        for (bytes, count) in [("", 0), ("\n", 1), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\n\n", 2)]
        {
            assert_eq!(text(bytes).line_count(), count, "{bytes:?}");
            assert_eq!(lines(bytes).len(), count, "{bytes:?}");
        }
    }

    #[test]
    fn carriage_returns_are_not_shown() {
        assert_eq!(lines("one\r\ntwo\r\r\na\rb\r\n\r\nend\r"), ["one", "two", "a b", "", "end"]);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced_and_reported() {
        let text = text(b"caf\xE9\nplain\n");
        let lines: Vec<Line<'_>> = text.lines_after(0).collect();
        assert_eq!(lines[0], Line { text: "caf\u{FFFD}".into(), lossy: true });
        assert_eq!(lines[1], Line { text: "plain".into(), lossy: false });
    }

    #[test]
    fn lines_are_skipped_from_the_front() {
        let text = text("a\nb\nc");
        assert_eq!(text.lines_after(2).map(|line| line.text).collect::<Vec<_>>(), ["c"]);
        assert_eq!(text.lines_after(9).count(), 0);
    }
}
