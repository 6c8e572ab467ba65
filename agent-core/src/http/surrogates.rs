//! Halves of surrogate pairs in JSON. JavaScript and Python write them; they are no characters.

/// `json` with each escape of half a pair replaced by that of U+FFFD; `None` if there is none.
pub(super) fn replaced(json: &str) -> Option<String> {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    let mut found = false;
    while let Some((before, escape)) = rest.split_once('\\') {
        out.push_str(before);
        let (taken, whole) = match unit(escape) {
            Some(0xD800..=0xDBFF) if escape.get(5..).is_some_and(begins_with_low) => (11, true),
            Some(0xD800..=0xDFFF) => (5, false),
            _ => (escape.chars().next().map_or(0, char::len_utf8), true),
        };
        let (escape, after) = escape.split_at_checked(taken)?;
        out.push('\\');
        out.push_str(if whole { escape } else { "ufffd" });
        found |= !whole;
        rest = after;
    }
    out.push_str(rest);
    found.then_some(out)
}

/// The number in an escape like `ud83d`.
fn unit(escape: &str) -> Option<u16> {
    u16::from_str_radix(escape.strip_prefix('u')?.get(..4)?, 16).ok()
}

fn begins_with_low(text: &str) -> bool {
    let low = text.strip_prefix('\\').and_then(unit);
    low.is_some_and(|low| (0xDC00..=0xDFFF).contains(&low))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::replaced;

    fn read(json: &str) -> Option<Value> {
        replaced(json).map(|json| serde_json::from_str(&json).unwrap())
    }

    #[test]
    fn half_a_pair_becomes_the_replacement_character() {
        assert_eq!(read(r#""ab\ud83d""#), Some(json!("ab\u{fffd}")));
        assert_eq!(read(r#""\ude00\ud83d\ude00\ud83d\n""#), Some(json!("\u{fffd}😀\u{fffd}\n")));
        assert_eq!(read(r#""\ud83d\u0041é""#), Some(json!("\u{fffd}Aé")));
    }

    #[test]
    fn what_has_no_half_pair_is_left_alone() {
        for json in
            [r#""\ud83d\ude00""#, r#""\\ud83d""#, r#""é\u00e9""#, "", "\\", "\\u", "\\ud8", "\\é"]
        {
            assert_eq!(replaced(json), None, "{json}");
        }
    }
}
