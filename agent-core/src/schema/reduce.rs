//! Reducing what `schemars` writes to what a model needs.

use serde_json::{Map, Value, json};

use super::as_written;
use super::walk::for_each_child;

const COMBINERS: [&str; 4] = ["allOf", "anyOf", "oneOf", "$ref"];
const NUMERIC_FORMATS: [&str; 14] = [
    "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64",
    "uint128", "uint", "float", "double",
];

/// Drops titles, closes objects, merges enums of plain names into one, and leaves `null` out of
/// what may be absent anyway. Numeric formats stay until [`drop_formats`]: they hold the range.
pub(super) fn reduce(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    map.remove("$schema");
    map.remove("title");
    if let Some(default) = map.get_mut("default") {
        *default = as_written(default.take());
    }
    for_each_child(map, reduce);
    merge_names(map);
    open_arms(map);
    close(map);
    strip_null_of_optional_properties(map);
}

/// Drops the numeric formats, which no provider reads.
pub(super) fn drop_formats(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if map
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(|format| NUMERIC_FORMATS.contains(&format))
    {
        map.remove("format");
    }
    for_each_child(map, drop_formats);
}

/// The keywords of `schema`; `true`, the schema of anything, becomes an empty list of them.
pub(super) fn as_map(schema: &mut Value) -> Option<&mut Map<String, Value>> {
    if *schema == Value::Bool(true) {
        *schema = json!({});
    }
    schema.as_object_mut()
}

/// Sets the description, keeping what [`merge_names`] wrote of the variants.
pub(super) fn set_description(map: &mut Map<String, Value>, description: &str) {
    let variants = map.get("description").and_then(Value::as_str).and_then(|text| {
        text.find(VARIANTS).map(|start| text.get(start..).unwrap_or_default().to_owned())
    });
    map.insert(
        "description".to_owned(),
        format!("{description}{}", variants.unwrap_or_default()).into(),
    );
}

/// Takes `null` out of a type that may be absent.
pub(super) fn strip_null(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    if let Some(Value::Array(types)) = map.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(arms)) = map.get_mut("anyOf") else { return };
    arms.retain(|arm| *arm != json!({"type": "null"}));
    if let [Value::Object(_)] = arms.as_slice() {
        let Some(Value::Object(arm)) = arms.pop() else { return };
        map.remove("anyOf");
        // What was said beside the union is said of this use of the type, so it wins.
        for (key, value) in arm {
            map.entry(key).or_insert(value);
        }
    }
}

fn strip_null_of_optional_properties(map: &mut Map<String, Value>) {
    let required: Vec<String> = match map.get("required") {
        Some(Value::Array(names)) => {
            names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
        }
        _ => Vec::new(),
    };
    let Some(Value::Object(properties)) = map.get_mut("properties") else { return };
    for (name, property) in properties {
        if !required.contains(name) {
            strip_null(property);
            drop_null_default(property);
        }
    }
}

/// `"default": null` says of an optional property what its absence from `required` says already.
fn drop_null_default(property: &mut Value) {
    if let Some(map) = property.as_object_mut()
        && map.get("default").is_some_and(Value::is_null)
    {
        map.remove("default");
    }
}

/// Refuses unknown fields, unless the type says otherwise or is put together from several schemas,
/// which each know only some of its fields.
fn close(map: &mut Map<String, Value>) {
    let is_object = match map.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        kind => kind.is_some_and(|kind| kind == "object"),
    };
    let says = ["additionalProperties", "unevaluatedProperties", "patternProperties"];
    let open = says.iter().chain(&COMBINERS).any(|key| map.contains_key(*key));
    if is_object && !open {
        map.entry("properties").or_insert_with(|| json!({}));
        map.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
}

/// The arms of a union that stands beside fields know only some of an object's fields.
fn open_arms(map: &mut Map<String, Value>) {
    if !map.contains_key("properties") {
        return;
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        let arms = map.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten();
        for arm in arms.filter_map(Value::as_object_mut) {
            if arm.get("additionalProperties") == Some(&Value::Bool(false)) {
                arm.remove("additionalProperties");
            }
        }
    }
}

const VARIANTS: &str = "\n- ";

/// An enum of plain names is one `enum`, also where its variants are documented; what is said of
/// each is kept in the description.
fn merge_names(map: &mut Map<String, Value>) {
    let Some(Value::Array(arms)) = map.get("oneOf") else { return };
    let mut names = Vec::new();
    let mut about = String::new();
    for arm in arms {
        let Some(of_arm) = names_of(arm) else { return };
        if let (Some(text), [name]) =
            (arm.get("description").and_then(Value::as_str), of_arm.as_slice())
        {
            about.push_str(&format!("{VARIANTS}{}: {text}", name.as_str().unwrap_or_default()));
        }
        names.extend(of_arm);
    }
    map.remove("oneOf");
    map.insert("type".to_owned(), "string".into());
    map.insert("enum".to_owned(), Value::Array(names));
    if !about.is_empty() {
        let own = map.get("description").and_then(Value::as_str).unwrap_or_default();
        let description = format!("{own}{about}");
        map.insert("description".to_owned(), description.trim_start().into());
    }
}

/// The names that `arm` stands for, if that is all it is.
fn names_of(arm: &Value) -> Option<Vec<Value>> {
    let map = arm.as_object()?;
    if map.keys().any(|key| !["type", "const", "enum", "description"].contains(&key.as_str())) {
        return None;
    }
    let values = match (map.get("const"), map.get("enum")) {
        (Some(value), None) => vec![value.clone()],
        (None, Some(Value::Array(values))) => values.clone(),
        _ => return None,
    };
    values.iter().all(Value::is_string).then_some(values)
}
