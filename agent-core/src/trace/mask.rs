//! Keeping secrets out of the trace.

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

    pub(crate) fn call(&self, call: &ToolCall) -> ToolCall {
        let mut shown = call.clone();
        if self.names.iter().any(|name| call.arguments.contains_key(*name)) {
            let mut arguments = Map::clone(&call.arguments);
            for (name, value) in &mut arguments {
                if self.names.contains(&name.as_str()) {
                    *value = MASK.into();
                }
            }
            shown.arguments = arguments.into();
        }
        shown
    }

    pub(crate) fn result(&self, result: &ToolResult) -> ToolResult {
        let content = self.text(&result.content);
        ToolResult { content, ..result.clone() }
    }

    pub(crate) fn notes(&self, notes: &[String]) -> Vec<String> {
        notes.iter().map(|note| self.text(note)).collect()
    }

    /// Arguments that could not be read may hold a secret anywhere.
    pub(crate) fn raw(&self, raw: Option<&Value>) -> Option<Value> {
        raw.map(|raw| if self.names.is_empty() { raw.clone() } else { MASK.into() })
    }

    fn text(&self, text: &str) -> String {
        self.texts.iter().fold(text.to_owned(), |shown, secret| shown.replace(secret, MASK))
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
