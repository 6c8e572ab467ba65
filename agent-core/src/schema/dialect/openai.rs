//! OpenAI's strict subset: every property is required, an optional one may be `null`, and of the
//! keywords only those that its grammar enforces.

use serde_json::{Map, Value, json};

use super::super::Root;
use super::{Unsayable, each_property, say};

const KEYWORDS: [&str; 19] = [
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "multipleOf",
    "pattern",
    "properties",
    "required",
    "type",
];
const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const MOST_PROPERTIES: usize = 5000;
const MOST_LEVELS: usize = 10;
const MOST_ENUM_VALUES: usize = 1000;
const MOST_CHARACTERS: usize = 120_000;

/// The schema in the subset, if that loses nothing.
pub(super) fn strict(root: &Root) -> Result<Root, Unsayable> {
    if !root.closed {
        return Err(unsayable("parameters", "take any further name"));
    }
    let mut strict = Strict::default();
    let mut properties = each_property(&root.properties, |path, schema| {
        strict.characters += path.len();
        strict.node(path, schema, 1)
    })?;
    strict.properties += properties.len();
    for property in &mut properties {
        if !std::mem::replace(&mut property.required, true) {
            or_null(&mut property.schema);
        }
    }
    let mut definitions = Map::new();
    for (name, definition) in &root.definitions {
        strict.characters += name.len();
        definitions.insert(name.clone(), strict.node(name, definition.clone(), 1)?);
    }
    strict.within_limits()?;
    Ok(Root { properties, definitions, closed: true })
}

/// What has been used of the subset's limits.
#[derive(Default)]
struct Strict {
    properties: usize,
    enum_values: usize,
    characters: usize,
}

fn unsayable(path: &str, what: &'static str) -> Unsayable {
    Unsayable { path: path.to_owned(), what, dialect: "OpenAI's strict subset" }
}

impl Strict {
    fn node(&mut self, path: &str, schema: Value, level: usize) -> Result<Value, Unsayable> {
        let Value::Object(mut map) = schema else {
            return Err(unsayable(path, "may be anything"));
        };
        if level > MOST_LEVELS {
            return Err(unsayable(path, "is nested too deep"));
        }
        if let Some(default) = map.remove("default") {
            say(&mut map, &format!("Default: {default}."));
        }
        if let Some(arms) = map.remove("oneOf") {
            map.insert("anyOf".to_owned(), arms);
        }
        check_keywords(path, &map)?;
        self.count_values(&map);
        if let Some(Value::Array(arms)) = map.get_mut("anyOf") {
            for arm in arms {
                *arm = self.node(path, arm.take(), level)?;
            }
        }
        if map.contains_key("items") || is(&map, "array") {
            let items = map.remove("items").unwrap_or(Value::Bool(true));
            let items = self.node(&format!("{path}[]"), items, level + 1)?;
            map.insert("items".to_owned(), items);
        }
        if is(&map, "object") {
            self.object(path, &mut map, level)?;
        }
        Ok(alone(map))
    }

    fn object(
        &mut self,
        path: &str,
        map: &mut Map<String, Value>,
        level: usize,
    ) -> Result<(), Unsayable> {
        if map.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Err(unsayable(path, "takes fields of any name"));
        }
        let required = match map.remove("required") {
            Some(Value::Array(names)) => names,
            _ => Vec::new(),
        };
        let Some(Value::Object(fields)) = map.get_mut("properties") else {
            return Err(unsayable(path, "has no list of fields"));
        };
        for (name, field) in &mut *fields {
            self.characters += name.len();
            *field = self.node(&format!("{path}.{name}"), field.take(), level + 1)?;
            if !required.iter().any(|known| known == name) {
                or_null(field);
            }
        }
        self.properties += fields.len();
        let all: Value = fields.keys().cloned().collect();
        map.insert("required".to_owned(), all);
        Ok(())
    }

    fn count_values(&mut self, map: &Map<String, Value>) {
        let values = map.get("enum").and_then(Value::as_array).into_iter().flatten();
        for value in values.chain(map.get("const")) {
            self.enum_values += 1;
            self.characters += value.to_string().len();
        }
    }

    fn within_limits(&self) -> Result<(), Unsayable> {
        let within = self.properties <= MOST_PROPERTIES
            && self.enum_values <= MOST_ENUM_VALUES
            && self.characters <= MOST_CHARACTERS;
        if within { Ok(()) } else { Err(unsayable("parameters", "are too many")) }
    }
}

fn check_keywords(path: &str, map: &Map<String, Value>) -> Result<(), Unsayable> {
    if map.keys().any(|key| !KEYWORDS.contains(&key.as_str())) {
        return Err(unsayable(path, "has a keyword"));
    }
    if !["type", "anyOf", "$ref", "enum", "const"].iter().any(|key| map.contains_key(*key)) {
        return Err(unsayable(path, "may be anything"));
    }
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    if text("format").is_some_and(|format| !FORMATS.contains(&format)) {
        return Err(unsayable(path, "has a format"));
    }
    if text("pattern").is_some_and(|pattern| pattern.contains("(?")) {
        return Err(unsayable(path, "has a pattern that looks around"));
    }
    Ok(())
}

fn is(map: &Map<String, Value>, kind: &str) -> bool {
    match map.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|known| known == kind),
        known => known.is_some_and(|known| known == kind),
    }
}

/// A reference has no siblings: what is said beside it goes around it.
fn alone(mut map: Map<String, Value>) -> Value {
    if map.len() > 1
        && let Some(target) = map.remove("$ref")
    {
        map.insert("anyOf".to_owned(), json!([{ "$ref": target }]));
    }
    Value::Object(map)
}

/// Lets a value be `null`, which stands for one that is absent.
fn or_null(schema: &mut Value) {
    let null = json!({"type": "null"});
    let Value::Object(map) = schema else { return };
    if let Some(Value::Array(arms)) = map.get_mut("anyOf") {
        if !arms.contains(&null) {
            arms.push(null);
        }
    } else if let (Some(kind), false) =
        (map.get("type").cloned(), map.contains_key("enum") || map.contains_key("const"))
    {
        let mut kinds = match kind {
            Value::Array(kinds) => kinds,
            kind => vec![kind],
        };
        if !kinds.iter().any(|kind| kind == "null") {
            kinds.push("null".into());
        }
        map.insert("type".to_owned(), Value::Array(kinds));
    } else {
        let description = map.remove("description");
        let mut either = Map::new();
        either.insert("anyOf".to_owned(), json!([schema.take(), {"type": "null"}]));
        if let Some(description) = description {
            either.insert("description".to_owned(), description);
        }
        *schema = Value::Object(either);
    }
}
