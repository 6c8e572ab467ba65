//! Reading the texts of TOML files, with errors that say what is wrong and on which line.

use std::fmt;

use serde::de::DeserializeOwned;

use crate::suggest;

/// Why a text of TOML was not read: the line, what is wrong, and what would be right.
///
/// No value that stood in the text is shown: people write keys where none belong. A `Deserialize`
/// of one's own should keep to that too; `Error::unknown_variant` and its like do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) struct Misfit {
    /// Counted from 1.
    line: Option<usize>,
    problem: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.problem)
    }
}

/// Reads a value from the text of a TOML file.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Misfit> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        Misfit {
            line: before.map(|before| before.matches('\n').count() + 1),
            problem: without_values(error.message()),
        }
    })
}

/// The message of an error, as serde words them, without the value that it may quote.
fn without_values(message: &str) -> String {
    if let Some((field, expected)) = unknown("field", message) {
        // `a`, `a` or `b`, or one of `a`, `b`, `c`.
        let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        return suggest::there_is_no("field", field, &known);
    }
    if let Some((_, expected)) = unknown("variant", message) {
        return format!("an unknown word, {expected}");
    }
    for problem in ["invalid type", "invalid value", "invalid length"] {
        if message.starts_with(&format!("{problem}: ")) {
            // What was expected comes last, whatever the value that is quoted holds.
            let expected = message.rsplit_once(", expected ").map(|(_, expected)| expected);
            return expected.map_or(problem.to_owned(), |it| format!("{problem}, expected {it}"));
        }
    }
    message.to_owned()
}

/// The unknown name that a message is about, and the rest of it.
fn unknown<'m>(kind: &str, message: &'m str) -> Option<(&'m str, &'m str)> {
    let rest = message.strip_prefix("unknown ")?.strip_prefix(kind)?.strip_prefix(" `")?;
    rest.rsplit_once("`, expected ")
        .map(|(name, _)| name)
        .or_else(|| rest.rsplit_once("`, there are no ").map(|(name, _)| name))
        .and_then(|name| Some((name, rest.get(name.len() + "`, ".len()..)?)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::read;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read for the errors")]
    struct Desk {
        height: Option<u32>,
        colour: Option<Colour>,
        drawers: Option<BTreeMap<String, Drawer>>,
        nothing: Option<Nothing>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Colour {
        Red,
        Blue,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read for the errors")]
    struct Drawer {
        width: u32,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}

    fn wrong(text: &str) -> String {
        read::<Desk>(text).unwrap_err().to_string()
    }

    #[test]
    fn a_misspelt_field_is_told_with_its_line_and_what_was_meant() {
        assert_eq!(
            wrong("colour = \"red\"\nheigth = 7"),
            "line 2: there is no field `heigth`, did you mean `height`? there are: height, colour, drawers, nothing"
        );
        assert_eq!(
            wrong("[drawers.top]\nwidth = 1\n[drawers.low]\nwdith = 2"),
            "line 4: there is no field `wdith`, did you mean `width`? there are: width"
        );
        assert_eq!(wrong("nothing.x = 1"), "line 1: there is no field `x`; there are none");
    }

    #[test]
    fn a_value_that_does_not_fit_is_told_by_what_was_expected() {
        assert_eq!(wrong("\nheight = \"7\""), "line 2: invalid type, expected u32");
        assert_eq!(wrong("height = -7"), "line 1: invalid value, expected u32");
        assert_eq!(wrong("colour = \"rde\""), "line 1: an unknown word, expected `red` or `blue`");
        assert_eq!(wrong("[drawers.top]"), "line 1: missing field `width`");
    }

    #[test]
    fn no_value_of_the_text_is_in_an_error() {
        for text in [
            "height = \"SENTINEL\"",
            "height = \"SENTINEL, expected SENTINEL: string \"",
            "colour = \"SENTINEL`, expected `SENTINEL\"",
            "colour = SENTINEL",
            "colour = \"SENTINEL",
            "colour = 'SENTINEL\n'",
            "height = 1SENTINEL",
            "height = [\"SENTINEL\"]",
            "height = 1\nheight = \"SENTINEL\"",
            "drawers = \"SENTINEL\"",
            "drawers.top.width = \"SENTINEL\"",
            "nothing = \"SENTINEL\"",
            "SENTINEL",
        ] {
            let error = read::<Desk>(text).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("SENTINEL"), "{error}");
            assert!(error.to_string().starts_with("line "), "{error}");
        }
    }
}
