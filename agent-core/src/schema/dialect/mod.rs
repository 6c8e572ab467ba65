//! Renderings: one neutral schema, written for each dialect of JSON Schema that providers take.
//!
//! A rendering is pure, and what a dialect cannot say is an error that names the place: nothing is
//! weakened without a word.

mod gemini;
mod openai;
#[cfg(test)]
mod tests;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{Property, Root};

/// How a provider wants the schema of a tool's parameters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// JSON Schema 2020-12; also what the Model Context Protocol and Anthropic take.
    #[default]
    JsonSchema,
    /// OpenAI's strict subset, where the schema can be said in it without loss; otherwise JSON
    /// Schema, marked as not strict.
    OpenAiStrict,
    /// The OpenAPI subset of Gemini's `parameters`.
    Gemini,
}

/// The schema of a tool's parameters in one dialect.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Rendered {
    /// The schema, an object.
    pub parameters: Box<RawValue>,
    /// Whether it keeps to OpenAI's strict subset, to be sent as `"strict": true`.
    pub strict: bool,
}

/// What a dialect cannot say of a tool's parameters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` {what}, which {dialect} cannot say")]
pub struct Unsayable {
    path: String,
    what: &'static str,
    dialect: &'static str,
}

impl Root {
    /// Renders the parameters.
    pub(crate) fn render(&self, dialect: Dialect) -> Result<Rendered, Unsayable> {
        let plain = || Rendered { parameters: self.write(), strict: false };
        match dialect {
            Dialect::JsonSchema => Ok(plain()),
            Dialect::OpenAiStrict => Ok(openai::strict(self)
                .map(|root| Rendered { parameters: root.write(), strict: true })
                .unwrap_or_else(|_| plain())),
            Dialect::Gemini => {
                Ok(Rendered { parameters: gemini::subset(self)?.write(), strict: false })
            }
        }
    }
}

/// Adds a sentence to a description.
fn say(map: &mut Map<String, Value>, sentence: &str) {
    let said = match map.get("description").and_then(Value::as_str) {
        Some(text) if !text.is_empty() => format!("{text}\n{sentence}"),
        _ => sentence.to_owned(),
    };
    map.insert("description".to_owned(), said.into());
}

/// Applies `render` to the schema of each property, with its path.
fn each_property(
    properties: &[Property],
    mut render: impl FnMut(&str, Value) -> Result<Value, Unsayable>,
) -> Result<Vec<Property>, Unsayable> {
    properties
        .iter()
        .map(|property| {
            let schema = render(&property.name, property.schema.clone())?;
            Ok(Property { schema, ..property.clone() })
        })
        .collect()
}
