use std::ops::Range;

use super::text::Line;

/// How many characters of a matching line are shown.
pub(super) const EXCERPT_CHARS: usize = 100;

const CUT: char = '…';

/// The part of a matching line to show: its start, or the surroundings of the match where that lies
/// beyond. `found` is where in `line` the match is, in bytes.
pub(super) fn excerpt(line: &[u8], found: Range<usize>) -> String {
    let decoded = Line::decode(line).text;
    let text = decoded.trim();
    // The match begins and ends with whole characters, so the parts decode as the whole does.
    let chars_to =
        |end: usize| line.get(..end).map_or(0, |part| Line::decode(part).text.chars().count());
    let indent = decoded.chars().count() - decoded.trim_start().chars().count();
    let window = window(
        text.chars().count(),
        chars_to(found.start).saturating_sub(indent)..chars_to(found.end).saturating_sub(indent),
    );
    cut(text, window)
}

/// Which characters to show of `total`, so that the match is among them.
fn window(total: usize, found: Range<usize>) -> Range<usize> {
    if total <= EXCERPT_CHARS {
        return 0..total;
    }
    if found.end <= EXCERPT_CHARS {
        return 0..EXCERPT_CHARS;
    }
    let before = EXCERPT_CHARS.saturating_sub(found.len()) / 2;
    let start = found.start.saturating_sub(before).min(total - EXCERPT_CHARS);
    start..start + EXCERPT_CHARS
}

fn cut(text: &str, window: Range<usize>) -> String {
    let mut chars = text.chars();
    let mut shown = String::new();
    if window.start > 0 {
        shown.push(CUT);
        chars.nth(window.start - 1);
    }
    shown.extend(chars.by_ref().take(window.len()));
    if chars.next().is_some() {
        shown.push(CUT);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(line: &str, keyword: &str) -> String {
        let start = line.find(keyword).unwrap();
        excerpt(line.as_bytes(), start..start + keyword.len())
    }

    #[test]
    fn a_short_line_is_trimmed_and_whole() {
        assert_eq!(around("   one two \t\r\n", "two"), "one two");
    }

    #[test]
    fn a_long_line_is_cut_after_its_first_hundred_characters() {
        let line = format!("  near{}", "x".repeat(300));
        assert_eq!(around(&line, "near"), format!("near{}…", "x".repeat(96)));
    }

    #[test]
    fn the_window_moves_to_a_match_in_the_middle() {
        let line = format!("{}NEEDLE{}", "日".repeat(5000), "é".repeat(5000));
        let expected = format!("…{}NEEDLE{}…", "日".repeat(47), "é".repeat(47));
        assert_eq!(around(&line, "NEEDLE"), expected);
    }

    #[test]
    fn the_window_stays_within_the_end_of_the_line() {
        let line = format!("{}NEEDLE!", "x".repeat(300));
        assert_eq!(around(&line, "NEEDLE"), format!("…{}NEEDLE!", "x".repeat(93)));
    }

    #[test]
    fn a_match_longer_than_the_window_shows_its_beginning() {
        let keyword = "k".repeat(150);
        let line = format!("{}{keyword}{}", "x".repeat(90), "y".repeat(90));
        assert_eq!(around(&line, &keyword), format!("…{}…", "k".repeat(100)));
    }

    #[test]
    fn replaced_bytes_before_the_match_count_as_they_are_shown() {
        let mut line = vec![0xE9; 200];
        line.extend(b"NEEDLE");
        let expected = format!("…{}NEEDLE", "\u{FFFD}".repeat(94));
        assert_eq!(excerpt(&line, 200..206), expected);
    }

    #[test]
    fn spaces_at_the_start_of_the_match_may_be_trimmed_away() {
        assert_eq!(excerpt(b"    x", 0..5), "x");
    }
}
