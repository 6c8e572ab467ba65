//! The OpenAPI subset of Gemini's `parameters`: no references, no open objects, one type a node,
//! `nullable` for what may be absent, and enums of text alone.

use serde_json::{Map, Value};

use super::super::Root;
use super::super::reference::{definition_name, merge};
use super::{Unsayable, each_property, say};

const KEYWORDS: [&str; 17] = [
    "anyOf",
    "default",
    "description",
    "enum",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "nullable",
    "pattern",
    "properties",
    "required",
    "type",
];
const FORMATS: [&str; 6] = ["int32", "int64", "float", "double", "enum", "date-time"];
/// Types within types; past this a type is recursive, or as good as that.
const MOST_LEVELS: usize = 32;
const MOST_NODES: usize = 5000;

pub(super) fn subset(root: &Root) -> Result<Root, Unsayable> {
    let mut gemini = Gemini { definitions: &root.definitions, nodes: 0 };
    let mut properties =
        each_property(&root.properties, |path, schema| gemini.node(path, schema, 0))?;
    for property in properties.iter_mut().filter(|property| !property.required) {
        or_null(&mut property.schema);
    }
    Ok(Root { properties, definitions: Map::new(), closed: false })
}

struct Gemini<'r> {
    definitions: &'r Map<String, Value>,
    /// How many nodes have been written.
    nodes: usize,
}

fn unsayable(path: &str, what: &'static str) -> Unsayable {
    Unsayable { path: path.to_owned(), what, dialect: "Gemini's schema" }
}

impl Gemini<'_> {
    fn node(&mut self, path: &str, schema: Value, level: usize) -> Result<Value, Unsayable> {
        let Value::Object(map) = schema else { return Err(unsayable(path, "may be anything")) };
        if level > MOST_LEVELS {
            return Err(unsayable(path, "is recursive"));
        }
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return Err(unsayable(path, "is recursive, or too large without references"));
        }
        let mut map = self.resolved(path, map, level)?;
        one_type(path, &mut map)?;
        values(path, &mut map)?;
        bounds(&mut map);
        if let Some(format) = map.get("format").and_then(Value::as_str).map(str::to_owned)
            && !FORMATS.contains(&format.as_str())
        {
            map.remove("format");
            say(&mut map, &format!("Format: {format}."));
        }
        if map.remove("uniqueItems") == Some(Value::Bool(true)) {
            say(&mut map, "No item occurs twice.");
        }
        self.children(path, &mut map, level)?;
        match map.keys().any(|key| !KEYWORDS.contains(&key.as_str())) {
            true => Err(unsayable(path, "has a keyword")),
            false => Ok(Value::Object(map)),
        }
    }

    /// Puts what a reference names in its place.
    fn resolved(
        &self,
        path: &str,
        mut map: Map<String, Value>,
        level: usize,
    ) -> Result<Map<String, Value>, Unsayable> {
        for _ in level..=MOST_LEVELS {
            let Some(target) = map.remove("$ref") else { return Ok(map) };
            let name = target.as_str().and_then(definition_name);
            match name.and_then(|name| self.definitions.get(&name)) {
                Some(Value::Object(definition)) => merge(&mut map, definition),
                Some(_) => return Err(unsayable(path, "may be anything")),
                None => return Err(unsayable(path, "refers to nothing")),
            }
        }
        Err(unsayable(path, "is recursive"))
    }

    fn children(
        &mut self,
        path: &str,
        map: &mut Map<String, Value>,
        level: usize,
    ) -> Result<(), Unsayable> {
        if let Some(arms) = map.remove("oneOf").or_else(|| map.remove("anyOf")) {
            let arms = arms.as_array().cloned().unwrap_or_default();
            let arms: Result<Vec<Value>, _> =
                arms.into_iter().map(|arm| self.node(path, arm, level + 1)).collect();
            map.insert("anyOf".to_owned(), Value::Array(arms?));
        }
        match map.get("type").and_then(Value::as_str) {
            Some("array") => {
                let items = map.remove("items").unwrap_or(Value::Bool(true));
                map.insert("items".to_owned(), self.node(&format!("{path}[]"), items, level + 1)?);
            }
            Some("object") => {
                if !matches!(map.remove("additionalProperties"), None | Some(Value::Bool(false))) {
                    return Err(unsayable(path, "takes fields of any name"));
                }
                self.fields(path, map, level)?;
            }
            Some(_) => {}
            None if map.contains_key("anyOf") => {}
            None => return Err(unsayable(path, "may be anything")),
        }
        Ok(())
    }

    fn fields(
        &mut self,
        path: &str,
        map: &mut Map<String, Value>,
        level: usize,
    ) -> Result<(), Unsayable> {
        let required = map.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(Value::Object(fields)) = map.get_mut("properties") else {
            return Err(unsayable(path, "has no list of fields"));
        };
        for (name, field) in fields {
            *field = self.node(&format!("{path}.{name}"), field.take(), level + 1)?;
            if !required.iter().any(|known| known == name) {
                or_null(field);
            }
        }
        Ok(())
    }
}

fn or_null(schema: &mut Value) {
    if let Value::Object(map) = schema {
        map.insert("nullable".to_owned(), Value::Bool(true));
    }
}

/// Makes a list of types, or a union with `null`, one type that is `nullable`.
fn one_type(path: &str, map: &mut Map<String, Value>) -> Result<(), Unsayable> {
    let is_null = |schema: &Value| schema.get("type").is_some_and(|kind| kind == "null");
    // The one arm that is left may be a union itself.
    while let Some(Value::Array(arms)) = map.get_mut("anyOf") {
        let before = arms.len();
        arms.retain(|arm| !is_null(arm));
        let nullable = arms.len() < before;
        let only = match arms.as_slice() {
            [Value::Object(only)] => Some(only.clone()),
            _ => None,
        };
        if nullable {
            map.insert("nullable".to_owned(), Value::Bool(true));
        }
        let Some(only) = only else { break };
        map.remove("anyOf");
        for (key, value) in only {
            map.entry(key).or_insert(value);
        }
    }
    let Some(Value::Array(kinds)) = map.get("type") else { return Ok(()) };
    let (nulls, kinds): (Vec<Value>, Vec<Value>) =
        kinds.iter().cloned().partition(|kind| kind == "null");
    let [only] = kinds.as_slice() else { return Err(unsayable(path, "is of several types")) };
    map.insert("type".to_owned(), only.clone());
    if !nulls.is_empty() {
        map.insert("nullable".to_owned(), Value::Bool(true));
    }
    Ok(())
}

/// Says an enum of anything but text in words, with its range.
fn values(path: &str, map: &mut Map<String, Value>) -> Result<(), Unsayable> {
    if let Some(value) = map.remove("const") {
        map.insert("enum".to_owned(), Value::Array(vec![value]));
    }
    let Some(Value::Array(values)) = map.get("enum").cloned() else { return Ok(()) };
    if values.iter().all(Value::is_string) {
        map.insert("type".to_owned(), "string".into());
        return Ok(());
    }
    let kind = match values.as_slice() {
        all if all.iter().all(|value| value.is_i64() || value.is_u64()) => "integer",
        all if all.iter().all(Value::is_number) => "number",
        all if all.iter().all(Value::is_boolean) => "boolean",
        _ => return Err(unsayable(path, "has values of several types")),
    };
    map.remove("enum");
    map.insert("type".to_owned(), kind.into());
    let list: Vec<String> = values.iter().map(Value::to_string).collect();
    say(map, &format!("One of {}.", list.join(", ")));
    Ok(())
}

/// Says bounds that exclude their number: of an integer by the next one, of a number in words.
fn bounds(map: &mut Map<String, Value>) {
    let integer = map.get("type").is_some_and(|kind| kind == "integer");
    for (exclusive, inclusive, step, words) in [
        ("exclusiveMinimum", "minimum", 1, "More than"),
        ("exclusiveMaximum", "maximum", -1, "Less than"),
    ] {
        let Some(bound) = map.remove(exclusive) else { continue };
        match bound.as_i64().and_then(|bound| bound.checked_add(step)).filter(|_| integer) {
            Some(next) => drop(map.insert(inclusive.to_owned(), next.into())),
            None => say(map, &format!("{words} {bound}.")),
        }
    }
    if let Some(step) = map.remove("multipleOf") {
        say(map, &format!("A multiple of {step}."));
    }
}
