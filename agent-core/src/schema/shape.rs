//! The shape of a type, compiled from its schema, by which arguments are read.

use serde_json::{Map, Value};

use super::bounds::{Integers, Lengths, Numbers, Unit};
use super::reference::definition_name;

/// What a value must look like. [`Shape::Any`] leaves the judgement to the type's own `Deserialize`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Any,
    Null,
    Boolean,
    Integer(Integers),
    Number(Numbers),
    Text(Lengths),
    /// One of these values.
    Choice(Vec<Value>),
    /// The shape of each item, and how many there are.
    List(Box<Shape>, Lengths),
    Object(Fields),
    /// Any of these.
    Union(Vec<Shape>),
    /// A recursive type, by its place in the [`ShapeTable`].
    Named(usize),
}

/// The fields of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fields {
    pub(crate) known: Vec<Field>,
    /// The shape of all other fields, where there may be any.
    pub(crate) others: Option<Box<Shape>>,
    /// How many there are.
    pub(crate) lengths: Lengths,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) shape: Shape,
}

/// The shapes that others refer to by name.
#[derive(Debug, Default)]
pub(crate) struct ShapeTable {
    names: Vec<String>,
    shapes: Vec<Shape>,
}

impl ShapeTable {
    pub(crate) fn new(definitions: &Map<String, Value>) -> Self {
        let mut table = Self { names: definitions.keys().cloned().collect(), shapes: Vec::new() };
        table.shapes = definitions.values().map(|schema| table.shape(schema)).collect();
        table
    }

    /// Follows a name to the shape it stands for.
    pub(crate) fn resolve<'s>(&'s self, shape: &'s Shape) -> &'s Shape {
        let mut shape = shape;
        // A name may stand for another; names that only stand for each other say nothing.
        for _ in 0..=self.shapes.len() {
            match shape {
                Shape::Named(place) => shape = self.shapes.get(*place).unwrap_or(&Shape::Any),
                other => return other,
            }
        }
        &Shape::Any
    }

    /// Compiles a schema that may refer to this table.
    pub(crate) fn shape(&self, schema: &Value) -> Shape {
        let Value::Object(map) = schema else { return Shape::Any };
        if narrowed(map) {
            return Shape::Any;
        }
        if let Some(target) = map.get("$ref").and_then(Value::as_str) {
            return self.named(target);
        }
        if let Some(Value::Array(values)) = map.get("enum") {
            return Shape::Choice(values.clone());
        }
        if let Some(value) = map.get("const") {
            return Shape::Choice(vec![value.clone()]);
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(arms)) = map.get(key) {
                // Fields beside a union belong to each of its arms: left to the type itself.
                let plain = !map.contains_key("properties");
                return if plain {
                    Shape::Union(arms.iter().map(|arm| self.shape(arm)).collect())
                } else {
                    Shape::Any
                };
            }
        }
        match map.get("type") {
            Some(Value::String(kind)) => self.of_type(kind, map),
            Some(Value::Array(kinds)) => Shape::Union(
                kinds
                    .iter()
                    .map(|kind| self.of_type(kind.as_str().unwrap_or_default(), map))
                    .collect(),
            ),
            _ => Shape::Any,
        }
    }

    fn named(&self, target: &str) -> Shape {
        let place = definition_name(target)
            .and_then(|name| self.names.iter().position(|known| *known == name));
        place.map_or(Shape::Any, Shape::Named)
    }

    fn of_type(&self, kind: &str, map: &Map<String, Value>) -> Shape {
        match kind {
            "null" => Shape::Null,
            "boolean" => Shape::Boolean,
            "integer" => Shape::Integer(Integers::of(map)),
            "number" => Shape::Number(Numbers::of(map)),
            "string" => Shape::Text(Lengths::of(Unit::Characters, map)),
            "array" => {
                // The items of a tuple are left to the type itself.
                let items = map.get("items").filter(|_| !map.contains_key("prefixItems"));
                let each = items.map_or(Shape::Any, |items| self.shape(items));
                Shape::List(Box::new(each), Lengths::of(Unit::Items, map))
            }
            "object" => Shape::Object(self.fields(map)),
            _ => Shape::Any,
        }
    }

    fn fields(&self, map: &Map<String, Value>) -> Fields {
        let required = |name: &str| {
            map.get("required")
                .and_then(Value::as_array)
                .is_some_and(|names| names.iter().any(|known| known == name))
        };
        let known = match map.get("properties") {
            Some(Value::Object(properties)) => properties
                .iter()
                .map(|(name, schema)| Field {
                    name: name.clone(),
                    required: required(name),
                    shape: self.shape(schema),
                })
                .collect(),
            _ => Vec::new(),
        };
        let others = match map.get("additionalProperties") {
            Some(Value::Bool(false)) => None,
            Some(schema) => Some(Box::new(self.shape(schema))),
            None => Some(Box::new(Shape::Any)),
        };
        Fields { known, others, lengths: Lengths::of(Unit::Entries, map) }
    }
}

/// Whether keywords that no shape has say more of the values. A number or a text that they narrow is
/// still a number or a text, and the type itself knows the rest.
fn narrowed(map: &Map<String, Value>) -> bool {
    const KEYWORDS: [&str; 5] =
        ["allOf", "not", "if", "patternProperties", "unevaluatedProperties"];
    let scalar = map.get("type").is_some_and(|kind| {
        ["integer", "number", "string", "boolean"].iter().any(|scalar| kind == scalar)
    });
    !scalar && KEYWORDS.iter().any(|key| map.contains_key(*key))
}
