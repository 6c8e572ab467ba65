//! Reading the arguments a model sent as one JSON object.

use serde_json::{Map, Value};

use super::report::{Report, invalid_json, not_an_object};

/// Reads `raw` as an object where its meaning is certain: an object, its encoding as text (once or
/// twice over), or nothing at all, which is an empty object. Hands `raw` back where it is none.
pub(crate) fn read_arguments(raw: Value) -> Result<Map<String, Value>, (Value, Report)> {
    match raw {
        Value::String(text) => read_text(&text).map_err(|report| (Value::String(text), report)),
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        other => {
            let report = not_an_object(kind(&other));
            Err((other, report))
        }
    }
}

fn read_text(text: &str) -> Result<Map<String, Value>, Report> {
    let value = parse(text)?;
    let value = match &value {
        Value::String(inner) => parse(inner).unwrap_or(value),
        _ => value,
    };
    match value {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        other => Err(not_an_object(kind(&other))),
    }
}

fn parse(text: &str) -> Result<Value, Report> {
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_str(text).map_err(|error| invalid_json(&error))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::read_arguments;
    use crate::call::ErrorKind;

    #[test]
    fn nothing_is_an_empty_object() {
        for raw in [
            json!(""),
            json!("  \n"),
            json!("null"),
            json!(" null "),
            json!("\"\""),
            Value::Null,
            json!("{}"),
        ] {
            assert_eq!(read_arguments(raw.clone()).unwrap(), serde_json::Map::new(), "{raw}");
        }
    }

    #[test]
    fn an_object_is_read_in_any_wrapping() {
        for raw in [json!({"q": "cat"}), json!(r#"{"q":"cat"}"#), json!(r#""{\"q\":\"cat\"}""#)] {
            assert_eq!(Value::Object(read_arguments(raw).unwrap()), json!({"q": "cat"}));
        }
    }

    #[test]
    fn anything_else_is_refused_with_its_kind() {
        let kinds = [
            (json!(r#"{"path":"a.md","text":"hel"#), ErrorKind::InvalidJson),
            (json!(r#"{"t":"ab\ud83d"}"#), ErrorKind::InvalidJson),
            (json!(r#"{"n":1} thanks"#), ErrorKind::InvalidJson),
            (json!(r#"{"n":1}{"n":2}"#), ErrorKind::InvalidJson),
            (json!("```json\n{\"q\":\"cat\"}\n```"), ErrorKind::InvalidJson),
            (json!("[1]"), ErrorKind::InvalidArguments),
            (json!("7"), ErrorKind::InvalidArguments),
            (json!("\"hello\""), ErrorKind::InvalidArguments),
            (json!(true), ErrorKind::InvalidArguments),
            (json!([1, 2]), ErrorKind::InvalidArguments),
        ];
        for (raw, kind) in kinds {
            assert_eq!(read_arguments(raw.clone()).unwrap_err().1.kind, kind, "{raw}");
        }
    }

    #[test]
    fn nesting_without_end_is_an_error_not_an_overflow() {
        let deep = "[".repeat(100_000);
        assert_eq!(read_arguments(json!(deep)).unwrap_err().1.kind, ErrorKind::InvalidJson);
    }
}
