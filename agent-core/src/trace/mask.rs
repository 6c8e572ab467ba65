//! Keeping secrets out of the trace.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::message::{ToolCall, ToolResult};
use crate::tool::Tool;

const MASK: &str = "***";

/// What the trace shows of the calls of one tool: arguments marked `secret` are masked, and so is
/// their text wherever else it occurs.
pub(crate) struct Mask {
    names: Vec<&'static str>,
    texts: Vec<String>,
}

impl Mask {
    pub(crate) fn of(tool: Option<&Tool>, call: &ToolCall) -> Self {
        let names: Vec<&'static str> = tool.into_iter().flat_map(Tool::secrets).collect();
        let values = names.iter().filter_map(|name| call.arguments.get(*name));
        let texts = values.flat_map(texts).filter(|text| !text.is_empty()).collect();
        Self { names, texts }
    }

    pub(crate) fn call<'c>(&self, call: &'c ToolCall) -> Cow<'c, ToolCall> {
        if self.names.iter().all(|name| !call.arguments.contains_key(*name)) {
            return Cow::Borrowed(call);
        }
        let mut arguments = Map::clone(&call.arguments);
        for (name, value) in &mut arguments {
            if self.names.contains(&name.as_str()) {
                *value = MASK.into();
            }
        }
        Cow::Owned(ToolCall { arguments: arguments.into(), ..call.clone() })
    }

    pub(crate) fn result<'r>(&self, result: &'r ToolResult) -> Cow<'r, ToolResult> {
        match self.text(&result.content) {
            Cow::Borrowed(_) => Cow::Borrowed(result),
            Cow::Owned(content) => Cow::Owned(ToolResult { content, ..result.clone() }),
        }
    }

    pub(crate) fn notes<'n>(&self, notes: &'n [String]) -> Cow<'n, [String]> {
        if self.texts.is_empty() {
            return Cow::Borrowed(notes);
        }
        notes.iter().map(|note| self.text(note).into_owned()).collect()
    }

    /// Arguments that could not be read may hold a secret anywhere.
    pub(crate) fn raw<'v>(&self, raw: Option<&'v Value>) -> Option<Cow<'v, Value>> {
        let masked = || Cow::Owned(Value::from(MASK));
        raw.map(|raw| if self.names.is_empty() { Cow::Borrowed(raw) } else { masked() })
    }

    fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut shown = Cow::Borrowed(text);
        for secret in &self.texts {
            if shown.contains(secret.as_str()) {
                shown = Cow::Owned(shown.replace(secret.as_str(), MASK));
            }
        }
        shown
    }
}

/// The text of a value, and as JSON writes it.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone(), value.to_string().trim_matches('"').to_owned()],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        Value::Object(map) => map.values().flat_map(texts).collect(),
        Value::Number(number) => vec![number.to_string()],
        Value::Null | Value::Bool(_) => Vec::new(),
    }
}
