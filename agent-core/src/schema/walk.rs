//! Where a JSON Schema holds further schemas.

use serde_json::{Map, Value};

const ONE: [&str; 11] = [
    "items",
    "additionalProperties",
    "not",
    "contains",
    "propertyNames",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];
const MANY: [&str; 4] = ["prefixItems", "allOf", "anyOf", "oneOf"];
const NAMED: [&str; 4] = ["properties", "patternProperties", "dependentSchemas", "$defs"];

/// Calls `visit` for each schema that stands directly in `schema`.
///
/// It goes by position, so a property that is named like a keyword is not taken for one.
pub(super) fn for_each_child(schema: &mut Map<String, Value>, mut visit: impl FnMut(&mut Value)) {
    for key in ONE {
        if let Some(child) = schema.get_mut(key) {
            visit(child);
        }
    }
    for key in MANY {
        if let Some(Value::Array(children)) = schema.get_mut(key) {
            children.iter_mut().for_each(&mut visit);
        }
    }
    for key in NAMED {
        if let Some(Value::Object(children)) = schema.get_mut(key) {
            children.values_mut().for_each(&mut visit);
        }
    }
}
