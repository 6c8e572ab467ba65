//! Tools made at run time, from a schema and a closure.

use std::fmt::Display;
use std::future::Future;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use jsonschema::Validator;
use serde_json::{Map, Value};

use super::{DynamicTool, Location, Tool, ToolContext, ToolError};
use crate::call::Problem;
use crate::message::Arguments;
use crate::schema::{ParameterSchema, Property, Root, definition_name};
use crate::toolbox::check_name;

/// Why a tool cannot be made of a schema.
#[derive(Debug, thiserror::Error)]
#[error("the tool `{tool}` cannot be made: {problem}")]
pub struct SchemaError {
    tool: String,
    problem: String,
}

impl Tool {
    /// A tool made at run time: its arguments are checked against `schema`, a JSON Schema of an
    /// object, and handed to `call`.
    ///
    /// ```
    /// use agent_core::{Agent, Arguments, ScriptedModel, Tool, ToolContext};
    /// use serde_json::json;
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": {"word": {"type": "string", "minLength": 1}},
    ///     "required": ["word"],
    /// });
    /// let shout = Tool::from_schema("shout", "Say a word loudly.", schema, |arguments: Arguments, _| async move {
    ///     arguments["word"].as_str().map(str::to_uppercase).ok_or("no word")
    /// })?;
    /// let agent = Agent::builder().model(ScriptedModel::new([])).tools([shout]).build()?;
    /// assert_eq!(agent.call("shout", json!({"word": "hey"})).await.content, "HEY");
    /// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The name is not one a model could call, or the schema is no valid JSON Schema of an object.
    #[track_caller]
    pub fn from_schema<F, Fut, T, E>(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: Value,
        call: F,
    ) -> Result<Self, SchemaError>
    where
        F: Fn(Arguments, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, E>> + Send + 'static,
        T: Display,
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let location = Location::caller();
        let name = name.into();
        let refuse = |problem: String| SchemaError { tool: name.clone(), problem };
        check_name(&name).map_err(refuse)?;
        let (root, schema) = read(schema).map_err(refuse)?;
        let validator = jsonschema::validator_for(&schema)
            .map_err(|error| refuse(format!("its schema is not valid: {error}")))?;
        let call = move |arguments, context| -> BoxFuture<'static, Result<String, ToolError>> {
            let called = call(arguments, context);
            Box::pin(async move {
                match called.await {
                    Ok(value) => Ok(value.to_string()),
                    Err(error) => Err(ToolError::from_boxed(error.into())),
                }
            })
        };
        let tool = DynamicTool {
            description: description.into(),
            location,
            schema: Arc::new(ParameterSchema::of(root)),
            check: Box::new(move |values, found| problems(&validator, values, found)),
            call: Box::new(call),
        };
        Ok(Self::dynamic(name, tool))
    }
}

/// What the validator finds where nothing has been found, one a place.
fn problems(validator: &Validator, values: &Arguments, found: &[Problem]) -> Vec<Problem> {
    let instance = Value::Object(Map::clone(values));
    let mut problems: Vec<Problem> = Vec::new();
    for error in validator.iter_errors(&instance) {
        let path = path(&error.instance_path().to_string());
        if !found.iter().chain(&problems).any(|problem| problem.is_at(&path)) {
            problems.push(Problem::new(path, error.to_string()));
        }
    }
    problems
}

/// `/filters/0/op` as `filters[0].op`; the arguments themselves where it is empty.
fn path(pointer: &str) -> String {
    let mut path = String::new();
    for part in pointer.split('/').skip(1) {
        if part.parse::<usize>().is_ok() {
            path.push_str(&format!("[{part}]"));
        } else {
            let dot = if path.is_empty() { "" } else { "." };
            path.push_str(&format!("{dot}{}", part.replace("~1", "/").replace("~0", "~")));
        }
    }
    if path.is_empty() { "arguments".to_owned() } else { path }
}

/// What may stand at the root of a schema of arguments.
const ROOT: [&str; 10] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "$defs",
    "definitions",
    "title",
    "description",
    "$id",
    "$comment",
];

/// Reads the schema of an object, and makes the form of it in which all is defined under `$defs`.
fn read(schema: Value) -> Result<(Root, Value), String> {
    let Value::Object(mut map) = schema else { return Err("its schema is no object".to_owned()) };
    map.remove("$schema");
    if !matches!(map.get("type"), None | Some(Value::String(_)))
        || map.get("type").is_some_and(|kind| kind != "object")
    {
        return Err("its schema is not that of an object; arguments always are one".to_owned());
    }
    if let Some(combiner) =
        ["oneOf", "anyOf", "allOf", "not", "$ref", "if"].iter().find(|key| map.contains_key(**key))
    {
        return Err(format!(
            "its schema has `{combiner}` at the root, which no provider takes; put it under a property"
        ));
    }
    if let Some(keyword) = map.keys().find(|key| !ROOT.contains(&key.as_str())) {
        return Err(format!(
            "its schema has `{keyword}` at the root, where only {} may stand",
            ROOT.join(", ")
        ));
    }
    if !matches!(map.get("additionalProperties"), None | Some(Value::Bool(_))) {
        return Err(
            "its schema describes further properties; name each, or put a map under a property"
                .to_owned(),
        );
    }
    let named = |name: &&Value| {
        let name = name.as_str().unwrap_or_default();
        map.get("properties").is_some_and(|properties| properties.get(name).is_some())
    };
    let required = map.get("required").and_then(Value::as_array);
    if let Some(name) = required.into_iter().flatten().find(|name| !named(name)) {
        return Err(format!("its schema requires {name}, which is none of its properties"));
    }
    map.insert("type".to_owned(), "object".into());
    map.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    if let Some(definitions) = map.remove("definitions") {
        map.insert("$defs".to_owned(), definitions);
    }
    let mut schema = Value::Object(map);
    rename_references(&mut schema);
    let root = Root::read(&schema).ok_or("its properties are no object")?;
    if let Some(name) = root.definitions.keys().find(|name| is_circular(name, &root.definitions)) {
        return Err(format!("its definition `{name}` refers to itself without end"));
    }
    Ok((root, schema))
}

/// Whether a definition comes back to itself before anything of a value is looked at.
fn is_circular(name: &str, definitions: &Map<String, Value>) -> bool {
    let mut seen = vec![name.to_owned()];
    let mut at = 0;
    while let Some(definition) = seen.get(at).and_then(|name| definitions.get(name)) {
        at += 1;
        let mut targets = Vec::new();
        collect_same(definition, &mut targets);
        if targets.iter().any(|target| target == name) {
            return true;
        }
        targets.retain(|target| !seen.contains(target));
        seen.extend(targets);
    }
    false
}

/// The definitions that a schema applies to the same value as itself.
fn collect_same(schema: &Value, targets: &mut Vec<String>) {
    targets.extend(schema.get("$ref").and_then(Value::as_str).and_then(definition_name));
    for key in ["anyOf", "oneOf", "allOf"] {
        let arms = schema.get(key).and_then(Value::as_array).into_iter().flatten();
        arms.for_each(|arm| collect_same(arm, targets));
    }
}

/// Earlier drafts called `$defs` `definitions`.
fn rename_references(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(target) if key == "$ref" => {
                        *target = target.replacen("#/definitions/", "#/$defs/", 1);
                    }
                    other => rename_references(other),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(rename_references),
        _ => {}
    }
}

impl Root {
    /// The properties of an object's schema, in the order they are kept in.
    fn read(schema: &Value) -> Option<Self> {
        let required = |name: &str| {
            let names = schema.get("required").and_then(Value::as_array);
            names.is_some_and(|names| names.iter().any(|known| known == name))
        };
        let properties = schema.get("properties")?.as_object()?.iter().map(|(name, schema)| {
            Property { name: name.clone(), schema: schema.clone(), required: required(name) }
        });
        Some(Self {
            properties: properties.collect(),
            definitions: schema
                .get("$defs")
                .and_then(Value::as_object)
                .cloned()
                .unwrap_or_default(),
            closed: schema.get("additionalProperties") == Some(&Value::Bool(false)),
        })
    }
}
