//! Other arguments in place of a call's own.

use agent_core::Arguments;
use serde_json::{Map, Value};

/// The arguments that were typed. One that stands as it was shown keeps the value it has, which may
/// be secret.
pub(super) fn typed(
    text: &str,
    shown: &Arguments,
    real: &Arguments,
) -> Result<Arguments, serde_json::Error> {
    let typed: Map<String, Value> = serde_json::from_str(text)?;
    let kept = |(name, value): (String, Value)| match real.get(&name) {
        Some(own) if shown.get(&name) == Some(&value) => (name, own.clone()),
        _ => (name, value),
    };
    Ok(typed.into_iter().map(kept).collect())
}

#[cfg(test)]
mod tests {
    use agent_core::Arguments;
    use serde_json::json;

    use super::typed;

    fn arguments(key: &str, to: &str) -> Arguments {
        [("key".to_owned(), json!(key)), ("to".to_owned(), json!(to))].into_iter().collect()
    }

    #[test]
    fn what_stands_as_it_was_shown_keeps_its_value() {
        let (shown, real) = (arguments("***", "ann"), arguments("sk-1", "ann"));
        let edited = typed(r#"{"to": "bob", "key": "***"}"#, &shown, &real).unwrap();
        assert_eq!(edited, arguments("sk-1", "bob"));
        let edited = typed(r#"{"to": "***", "key": "new"}"#, &shown, &real).unwrap();
        assert_eq!(edited, arguments("new", "***"));
        assert_eq!(typed(&shown.to_string(), &shown, &real).unwrap(), real);
    }

    #[test]
    fn arguments_are_an_object() {
        let none = Arguments::default();
        for text in ["", "[1]", "{\"to\":", "{} {}"] {
            assert!(typed(text, &none, &none).is_err(), "{text}");
        }
    }
}
