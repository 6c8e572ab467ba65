//! Types and values in words, for messages.

use serde_json::{Map, Value};

use crate::schema::{Fields, Shape, ShapeTable};

/// A type in words.
pub(super) fn expected(table: &ShapeTable, shape: &Shape) -> String {
    match table.resolve(shape) {
        Shape::Any | Shape::Named(_) => "a value".to_owned(),
        Shape::Null => "null".to_owned(),
        Shape::Boolean => "true or false".to_owned(),
        Shape::Integer(range) => range.to_string(),
        Shape::Number(range) => range.to_string(),
        Shape::Text(lengths) => lengths.to_string(),
        Shape::Choice(choices) => match choices.as_slice() {
            [only] => excerpt(only),
            many => format!("one of {}", many.iter().map(excerpt).collect::<Vec<_>>().join(", ")),
        },
        Shape::List(items, lengths) => match table.resolve(items) {
            Shape::Any | Shape::List(..) | Shape::Object(_) | Shape::Union(_) => {
                lengths.to_string()
            }
            item => format!("{lengths}, each {}", expected(table, item)),
        },
        Shape::Object(Fields { known, lengths, .. }) => match known.as_slice() {
            [] => lengths.to_string(),
            fields => {
                let names: Vec<String> =
                    fields.iter().map(|field| format!("`{}`", field.name)).collect();
                format!("an object with {}", names.join(", "))
            }
        },
        Shape::Union(arms) => {
            arms.iter().map(|arm| expected(table, arm)).collect::<Vec<_>>().join(" or ")
        }
    }
}

/// In characters.
const LONGEST: usize = 60;

/// The beginning of `value` as JSON. It costs the same for a value of any size.
pub(super) fn excerpt(value: &Value) -> String {
    let json = beginning(value, &mut (LONGEST + 1)).to_string();
    match json.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", json.get(..end).unwrap_or_default()),
        None => json,
    }
}

/// As much of `value` as `left` characters of JSON can show: each value takes one at the least.
fn beginning(value: &Value, left: &mut usize) -> Value {
    *left = left.saturating_sub(1);
    match value {
        Value::String(text) => {
            let shown: String = text.chars().take(*left + 1).collect();
            *left = left.saturating_sub(shown.len());
            shown.into()
        }
        Value::Array(values) => {
            let mut shown = Vec::new();
            for value in values {
                if *left == 0 {
                    break;
                }
                shown.push(beginning(value, left));
            }
            shown.into()
        }
        Value::Object(map) => {
            let mut shown = Map::new();
            for (name, value) in map {
                if *left == 0 {
                    break;
                }
                let name: String = name.chars().take(LONGEST + 1).collect();
                *left = left.saturating_sub(name.len());
                shown.insert(name, beginning(value, left));
            }
            shown.into()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::excerpt;

    #[test]
    fn an_excerpt_is_the_beginning_of_the_whole() {
        let long = "日x".repeat(1000);
        for value in [
            json!(long),
            json!([[long]]),
            json!({"a": long, "b": 1}),
            json!({ long.as_str(): 1 }),
            json!(vec![1; 1000]),
            json!([{}, [], null, true, -1.5, "é\n\"", {"k": [1, 2, {"l": "m"}]}]),
        ] {
            let whole = value.to_string();
            let cut: String = whole.chars().take(60).collect();
            let expected = if cut == whole { whole } else { format!("{cut}…") };
            assert_eq!(excerpt(&value), expected);
        }
    }
}
