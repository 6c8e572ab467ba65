//! Schemas: what the model is told of a tool's parameters, and how its arguments are read.
//!
//! `schemars` describes each parameter's type. [`reduce`] leaves of that what a model needs, the
//! [`Shape`] made of it reads arguments, and [`ParameterSchema`] is the text a provider receives.

mod bounds;
mod decimal;
mod dialect;
mod inline;
mod output;
mod reduce;
mod reference;
mod shape;
#[cfg(test)]
mod tests;
mod walk;

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

pub(crate) use bounds::End;
pub use bounds::{Bounds, Integers, Lengths, Numbers, Unit};
pub(crate) use decimal::as_written;
pub use dialect::{Dialect, Rendered, Unsayable};
use inline::Inliner;
pub use output::OutputSchema;
pub(crate) use output::VALUE;
#[cfg(feature = "runtime-tools")]
pub(crate) use reference::definition_name;
pub(crate) use shape::{Fields, Shape, ShapeTable};

/// One parameter that the model fills in.
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    /// Whether the model may leave it out.
    pub(crate) optional: bool,
    /// Whether its values are not to be seen by others.
    pub(crate) secret: bool,
}

/// What a tool's parameters come to: made once per tool and process.
pub(crate) struct ParameterSchema {
    pub(crate) parameters: Vec<Parameter>,
    /// The types that parameters refer to by name because they are recursive.
    pub(crate) table: ShapeTable,
    /// The neutral schema.
    pub(crate) root: Root,
    /// The neutral schema as JSON Schema.
    pub(crate) json: Box<RawValue>,
}

/// The schema of an object of parameters, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    pub(crate) properties: Vec<Property>,
    pub(crate) definitions: Map<String, Value>,
    /// Whether it is said that no other property is allowed.
    pub(crate) closed: bool,
}

/// The schema of one parameter.
#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) schema: Value,
    pub(crate) required: bool,
}

/// A parameter as the macro describes it.
pub(crate) struct Described {
    pub(crate) name: &'static str,
    pub(crate) description: Option<&'static str>,
    pub(crate) default: Option<Value>,
    pub(crate) bounds: Option<Bounds>,
    pub(crate) optional: bool,
    pub(crate) secret: bool,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
}

impl ParameterSchema {
    pub(crate) fn new(described: Vec<Described>) -> Self {
        let types = described.iter().map(|parameter| parameter.schema);
        let (mut nodes, definitions) = inlined(types);
        for (parameter, node) in described.iter().zip(&mut nodes) {
            describe(parameter, node);
        }
        let properties = described.iter().zip(nodes).map(|(parameter, schema)| Property {
            name: parameter.name.to_owned(),
            schema,
            required: !parameter.optional,
        });
        let mut schema =
            Self::of(Root { properties: properties.collect(), definitions, closed: true });
        for (parameter, described) in schema.parameters.iter_mut().zip(&described) {
            parameter.secret = described.secret;
        }
        schema
    }

    /// Compiles a reduced schema.
    pub(crate) fn of(mut root: Root) -> Self {
        let table = ShapeTable::new(&root.definitions);
        let parameters = root.properties.iter().map(|property| Parameter {
            name: property.name.clone(),
            shape: table.shape(&property.schema),
            optional: !property.required,
            secret: false,
        });
        let parameters = parameters.collect();
        // The shapes have taken the ranges that the formats stood for.
        root.properties.iter_mut().for_each(|property| reduce::drop_formats(&mut property.schema));
        root.definitions.values_mut().for_each(reduce::drop_formats);
        let json = root.write();
        Self { parameters, table, root, json }
    }
}

/// The schemas of types, not yet reduced, and the definitions that they still refer to.
fn inlined(
    types: impl IntoIterator<Item = impl Fn(&mut SchemaGenerator) -> Schema>,
) -> (Vec<Value>, Map<String, Value>) {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let mut generator = settings.into_generator();
    let mut nodes: Vec<Value> =
        types.into_iter().map(|schema| schema(&mut generator).to_value()).collect();
    let inliner = Inliner::new(generator.take_definitions(true));
    nodes.iter_mut().for_each(|node| inliner.inline(node));
    let mut definitions = inliner.kept();
    definitions.values_mut().for_each(reduce::reduce);
    (nodes, definitions)
}

/// What is said at the parameter wins over what its type says of itself.
fn describe(parameter: &Described, node: &mut Value) {
    reduce::reduce(node);
    if parameter.optional {
        reduce::strip_null(node);
    }
    let Some(map) = reduce::as_map(node) else { return };
    if let Some(description) = parameter.description {
        reduce::set_description(map, description);
    }
    if let Some(bounds) = parameter.bounds {
        bounds.write(map);
    }
    if let Some(default) = &parameter.default {
        map.insert("default".to_owned(), default.clone());
    }
}

impl Root {
    /// Writes the object by hand: a `serde_json` map would sort the properties.
    pub(crate) fn write(&self) -> Box<RawValue> {
        let mut json = String::from(r#"{"type":"object","properties":{"#);
        for (index, Property { name, schema, .. }) in self.properties.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            json.push_str(&format!("{comma}{}:{schema}", Value::from(name.as_str())));
        }
        json.push('}');
        let required: Vec<&str> = self
            .properties
            .iter()
            .filter(|property| property.required)
            .map(|property| property.name.as_str())
            .collect();
        if !required.is_empty() {
            json.push_str(&format!(r#","required":{}"#, Value::from(required)));
        }
        if self.closed {
            json.push_str(r#","additionalProperties":false"#);
        }
        if !self.definitions.is_empty() {
            json.push_str(&format!(r#","$defs":{}"#, Value::Object(self.definitions.clone())));
        }
        json.push('}');
        RawValue::from_string(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }
}
