//! Rules that both protocols have.

use std::collections::HashSet;

use serde_json::Value;

pub(super) type Checked = Result<(), String>;

/// Fails with a message unless a condition holds.
macro_rules! demand {
    ($holds:expr, $($message:tt)+) => {
        if !$holds {
            return Err(format!($($message)+));
        }
    };
}
pub(super) use demand;

/// Names are of letters, digits, `_` and `-`, and not too long.
pub(super) fn name(name: &str, longest: usize) -> Checked {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    demand!(
        (1..=longest).contains(&name.len()) && name.chars().all(fits),
        "name `{name}` does not match ^[a-zA-Z0-9_-]{{1,{longest}}}$"
    );
    Ok(())
}

/// The names of tools differ.
pub(super) fn unique_names<'n>(mut names: impl Iterator<Item = &'n str>) -> Checked {
    let mut seen = HashSet::new();
    match names.find(|name| !seen.insert(*name)) {
        Some(name) => Err(format!("tool names must be unique: `{name}` occurs twice")),
        None => Ok(()),
    }
}

/// The parameters of a tool are an object at the root, with no combiner beside it, and each reference
/// leads somewhere.
pub(super) fn schema(tool: &str, schema: &Value) -> Checked {
    demand!(schema["type"] == "object", "the schema of `{tool}` must be of type object");
    demand!(
        schema["properties"].is_object() || schema["properties"].is_null(),
        "the properties of `{tool}` must be an object"
    );
    for combiner in ["oneOf", "anyOf", "allOf", "enum", "not"] {
        demand!(
            schema.get(combiner).is_none(),
            "the schema of `{tool}` has {combiner} at its root"
        );
    }
    references(schema, schema)
}

fn references(root: &Value, node: &Value) -> Checked {
    if let Some(Value::String(reference)) = node.get("$ref") {
        let target = reference.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        demand!(target.is_some(), "the reference {reference} leads nowhere");
    }
    match node {
        Value::Object(map) => map.values().try_for_each(|value| references(root, value)),
        Value::Array(list) => list.iter().try_for_each(|value| references(root, value)),
        _ => Ok(()),
    }
}

/// The results that follow a reply answer each of its calls once, in their order.
pub(super) fn paired(calls: &[&str], results: &[&str]) -> Checked {
    demand!(
        calls == results,
        "the calls {calls:?} must be followed by a result each, in their order, not by {results:?}"
    );
    Ok(())
}

/// The ids of calls are unique in a conversation, and not empty.
#[derive(Default)]
pub(super) struct Ids(HashSet<String>);

impl Ids {
    pub(super) fn add(&mut self, id: &str) -> Checked {
        demand!(!id.is_empty(), "the id of a call is empty");
        demand!(self.0.insert(id.to_owned()), "the id `{id}` occurs twice");
        Ok(())
    }
}
