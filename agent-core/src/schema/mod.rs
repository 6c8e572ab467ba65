//! Schemas: what the model is told of a tool's parameters, and how its arguments are read.
//!
//! `schemars` describes each parameter's type. [`reduce`] leaves of that what a model needs, the
//! [`Shape`] made of it reads arguments, and [`ParameterSchema`] is the text a provider receives.

mod inline;
mod reduce;
mod shape;
#[cfg(test)]
mod tests;
mod walk;

use schemars::generate::SchemaSettings;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use inline::Inliner;
pub(crate) use shape::{Fields, Integers, Shape, ShapeTable};

/// One parameter that the model fills in.
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// Whether the model may leave it out.
    pub(crate) optional: bool,
}

/// What a tool's parameters come to: made once per tool and process.
pub(crate) struct ParameterSchema {
    pub(crate) parameters: Vec<Parameter>,
    /// The types that parameters refer to by name because they are recursive.
    pub(crate) table: ShapeTable,
    /// The JSON Schema as text, properties in the order of the parameters.
    pub(crate) json: Box<RawValue>,
}

/// A parameter as the macro describes it.
pub(crate) struct Described {
    pub(crate) name: &'static str,
    pub(crate) description: Option<&'static str>,
    pub(crate) default: Option<Value>,
    pub(crate) optional: bool,
    pub(crate) schema: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

impl ParameterSchema {
    pub(crate) fn new(described: Vec<Described>) -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
        let mut generator = settings.into_generator();
        let mut nodes: Vec<Value> = described
            .iter()
            .map(|parameter| (parameter.schema)(&mut generator).to_value())
            .collect();
        let inliner = Inliner::new(generator.take_definitions(true));
        for (parameter, node) in described.iter().zip(&mut nodes) {
            inliner.inline(node);
            describe(parameter, node);
        }
        let mut definitions = inliner.kept();
        definitions.values_mut().for_each(reduce::reduce);

        let table = ShapeTable::new(&definitions);
        let mut parameters = Vec::with_capacity(described.len());
        let mut properties = Vec::with_capacity(described.len());
        for (described, mut node) in described.into_iter().zip(nodes) {
            let Described { name, optional, .. } = described;
            parameters.push(Parameter { name, shape: table.shape(&node), optional });
            reduce::drop_formats(&mut node);
            properties.push((name, node));
        }
        definitions.values_mut().for_each(reduce::drop_formats);
        let json = write(&parameters, properties, &definitions);
        Self { parameters, table, json }
    }
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
    if let Some(default) = &parameter.default {
        map.insert("default".to_owned(), default.clone());
    }
}

/// Writes the root object by hand: a `serde_json` map would sort the properties.
fn write(
    parameters: &[Parameter],
    properties: Vec<(&str, Value)>,
    definitions: &Map<String, Value>,
) -> Box<RawValue> {
    let mut json = String::from(r#"{"type":"object","properties":{"#);
    for (index, (name, node)) in properties.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        json.push_str(&format!("{comma}{}:{node}", Value::from(name)));
    }
    json.push('}');
    let required: Value =
        parameters.iter().filter(|parameter| !parameter.optional).map(|p| p.name).collect();
    if required.as_array().is_some_and(|names| !names.is_empty()) {
        json.push_str(&format!(r#","required":{required}"#));
    }
    json.push_str(r#","additionalProperties":false"#);
    if !definitions.is_empty() {
        json.push_str(&format!(r#","$defs":{}"#, Value::Object(definitions.clone())));
    }
    json.push('}');
    RawValue::from_string(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
