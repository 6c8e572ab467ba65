//! Types and values in words, for messages.

use serde_json::Value;

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

/// The beginning of `value` as JSON.
pub(super) fn excerpt(value: &Value) -> String {
    const LONGEST: usize = 60;
    let json = value.to_string();
    match json.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", json.get(..end).unwrap_or_default()),
        None => json,
    }
}
