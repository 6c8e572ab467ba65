//! "Did you mean": the known word that a misspelt one is nearest to.

/// Below this similarity two words are not taken for spellings of the same one.
const ALIKE: f64 = 0.8;

/// The candidate that `word` most likely stands for.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word = plain(word);
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&word, &plain(candidate)), candidate))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

/// The word without the differences nobody means: `readOnly` is `read_only`.
fn plain(word: &str) -> String {
    word.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const WORDS: [&str; 6] = ["name", "read_only", "destructive", "timeout", "max_output", "tags"];

    #[test]
    fn slips_of_the_keyboard_and_other_casings_find_their_word() {
        for (typed, meant) in [
            ("readonly", "read_only"),
            ("readOnly", "read_only"),
            ("destructve", "destructive"),
            ("time_out", "timeout"),
            ("timeuot", "timeout"),
            ("tag", "tags"),
            ("max", "max_output"),
        ] {
            assert_eq!(nearest(typed, WORDS), Some(meant), "{typed}");
        }
    }

    #[test]
    fn unrelated_words_find_nothing() {
        for typed in ["cached", "strict", "x", ""] {
            assert_eq!(nearest(typed, WORDS), None, "{typed}");
        }
    }
}
