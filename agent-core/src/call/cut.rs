//! Cutting long results.

use std::borrow::Cow;

/// Cuts `text` after `max_chars` characters, and says so with its full length; a text that fits is
/// left as it is.
///
/// ```
/// assert_eq!(agent_core::cut("short", 5), "short");
/// assert_eq!(
///     agent_core::cut("日本語", 2),
///     "日本\n[cut: the first 2 of 3 characters are shown]"
/// );
/// ```
#[must_use]
pub fn cut(text: &str, max_chars: usize) -> Cow<'_, str> {
    // A text has no more characters than bytes.
    if text.len() <= max_chars {
        return Cow::Borrowed(text);
    }
    let Some((end, _)) = text.char_indices().nth(max_chars) else {
        return Cow::Borrowed(text);
    };
    let (kept, rest) = text.split_at(end);
    let all = max_chars + rest.chars().count();
    Cow::Owned(format!("{kept}\n[cut: the first {max_chars} of {all} characters are shown]"))
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn every_limit_gives_whole_characters_and_the_full_length() {
        for text in ["ééé", "日本語", "😀😀", "a😀b日c", ""] {
            let all = text.chars().count();
            for limit in 0..=all + 1 {
                let shown = cut(text, limit);
                if limit >= all {
                    assert_eq!(shown, text);
                } else {
                    let kept: String = text.chars().take(limit).collect();
                    assert_eq!(
                        shown,
                        format!("{kept}\n[cut: the first {limit} of {all} characters are shown]")
                    );
                }
            }
        }
    }
}
