//! The shape that an answer is to have.

use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use super::{Dialect, ParameterSchema, Property, Rendered, Root, Unsayable, inlined};

/// The shape that an answer is to have: the schema of an object, and a name for it.
///
/// Providers hold a reply to the schema of an object alone, so a type that is none is asked for as
/// the field `value` of one.
///
/// ```
/// use agent_core::{Dialect, OutputSchema, schemars};
///
/// #[derive(schemars::JsonSchema)]
/// struct Place {
///     country: String,
/// }
///
/// let place = OutputSchema::of::<Place>();
/// assert_eq!(place.name(), "Place");
/// let schema = place.schema_for(Dialect::JsonSchema)?.parameters;
/// assert!(schema.get().starts_with(r#"{"type":"object","properties":{"country":{"type":"string"}}"#));
/// let places = OutputSchema::of::<Vec<Place>>().schema_for(Dialect::JsonSchema)?.parameters;
/// assert!(places.get().starts_with(r#"{"type":"object","properties":{"value":{"#));
/// # Ok::<_, agent_core::Unsayable>(())
/// ```
pub struct OutputSchema {
    name: String,
    description: Option<String>,
    pub(crate) schema: Arc<ParameterSchema>,
    /// Whether the answer is the field [`VALUE`] of the object.
    pub(crate) is_wrapped: bool,
}

/// The field that holds an answer that is no object itself.
pub(crate) const VALUE: &str = "value";

impl OutputSchema {
    /// The shape of a type.
    #[must_use]
    pub fn of<T: JsonSchema>() -> Self {
        let (mut nodes, definitions) = inlined([SchemaGenerator::subschema_for::<T>]);
        let mut node = nodes.pop().unwrap_or(Value::Bool(true));
        super::reduce::reduce(&mut node);
        let fields = fields(&node);
        let is_wrapped = fields.is_none();
        // What is wrapped keeps its own.
        let description = node.get("description").filter(|_| !is_wrapped);
        let description = description.and_then(Value::as_str).map(str::to_owned);
        let properties = fields.unwrap_or_else(|| {
            vec![Property { name: VALUE.to_owned(), schema: node, required: true }]
        });
        Self {
            name: plain(&T::schema_name()),
            description,
            schema: Arc::new(ParameterSchema::of(Root { properties, definitions, closed: true })),
            is_wrapped,
        }
    }

    /// The name of the type, in letters, digits and `_`, as providers take it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the type's documentation says it is.
    #[must_use]
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The schema in a provider's [dialect](Dialect).
    ///
    /// # Errors
    ///
    /// The dialect cannot say what the schema says.
    pub fn schema_for(&self, dialect: Dialect) -> Result<Rendered, Unsayable> {
        self.schema.root.render(dialect)
    }
}

impl fmt::Debug for OutputSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputSchema")
            .field("name", &self.name)
            .field("is_wrapped", &self.is_wrapped)
            .field("schema", &self.schema.json)
            .finish_non_exhaustive()
    }
}

/// The fields of a schema that says nothing but the fields of an object.
fn fields(node: &Value) -> Option<Vec<Property>> {
    const SAYS: [&str; 5] =
        ["type", "properties", "required", "additionalProperties", "description"];
    let map = node.as_object()?;
    let plain = map.get("type")? == "object"
        && map.get("additionalProperties")? == &Value::Bool(false)
        && map.keys().all(|key| SAYS.contains(&key.as_str()));
    let required = |name: &str| {
        let names = map.get("required").and_then(Value::as_array);
        names.is_some_and(|names| names.iter().any(|known| known == name))
    };
    let properties: &Map<String, Value> = map.get("properties")?.as_object()?;
    let property = |(name, schema): (&String, &Value)| Property {
        name: name.clone(),
        schema: schema.clone(),
        required: required(name),
    };
    plain.then(|| properties.iter().map(property).collect())
}

fn plain(name: &str) -> String {
    /// OpenAI takes no more characters.
    const LONGEST: usize = 64;
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(letter).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::JsonSchema;
    use serde_json::{Value, json};

    use super::{OutputSchema, plain};
    use crate::schema::Dialect;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Part {
        name: String,
        /// How many, if it is known.
        count: Option<u8>,
        parts: Vec<Part>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Verdict {
        Yes,
        No,
    }

    fn schema(output: &OutputSchema) -> Value {
        let rendered = output.schema_for(Dialect::JsonSchema).unwrap();
        serde_json::from_str(rendered.parameters.get()).unwrap()
    }

    #[test]
    fn a_struct_is_asked_for_as_it_is() {
        #[derive(JsonSchema)]
        #[expect(dead_code, reason = "only its schema is looked at")]
        struct Place {
            name: String,
            /// How many live there.
            people: Option<u32>,
        }
        let output = OutputSchema::of::<Place>();
        let expected = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "people": {"type": "integer", "minimum": 0, "description": "How many live there."},
            },
            "required": ["name"],
            "additionalProperties": false,
        });
        assert_eq!((schema(&output), output.is_wrapped), (expected, false));
        assert!(output.schema_for(Dialect::OpenAiStrict).unwrap().strict);
    }

    #[test]
    fn what_is_no_object_or_one_of_any_fields_is_asked_for_as_a_value() {
        for output in [
            OutputSchema::of::<Verdict>(),
            OutputSchema::of::<f64>(),
            OutputSchema::of::<Vec<String>>(),
            OutputSchema::of::<Option<bool>>(),
            OutputSchema::of::<BTreeMap<String, u8>>(),
            OutputSchema::of::<Result<u8, String>>(),
            OutputSchema::of::<Part>(),
        ] {
            let schema = schema(&output);
            assert!(output.is_wrapped, "{schema}");
            assert_eq!(schema["required"], json!(["value"]), "{schema}");
        }
        let verdict = schema(&OutputSchema::of::<Verdict>());
        assert_eq!(
            verdict["properties"]["value"],
            json!({"type": "string", "enum": ["Yes", "No"]})
        );
    }

    #[test]
    fn a_type_of_itself_is_defined_once() {
        let schema = schema(&OutputSchema::of::<Part>());
        assert_eq!(schema["properties"]["value"]["$ref"], "#/$defs/Part");
        assert_eq!(schema["$defs"]["Part"]["additionalProperties"], false);
    }

    #[test]
    fn a_name_is_as_providers_take_it() {
        assert_eq!(OutputSchema::of::<Vec<Verdict>>().name(), "Array_of_Verdict");
        assert_eq!(plain("Größe<T>"), "Gr__e_T_");
        assert_eq!(plain(&"x".repeat(100)).len(), 64);
    }
}
