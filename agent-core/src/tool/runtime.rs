//! Tools made at run time, from a schema and a closure.

use std::fmt::Display;
use std::future::Future;

use futures_util::future::BoxFuture;
use jsonschema::Validator;
use serde_json::{Map, Value};

use super::{Annotations, Location, Tool, ToolContext, ToolError};
use crate::call::Problem;
use crate::macros_support::{CallError, Returned};
use crate::message::Arguments;
use crate::schema::{ParameterSchema, Property, Root};
use crate::toolbox::check_name;

type Closure =
    dyn Fn(Arguments, ToolContext) -> BoxFuture<'static, Result<String, ToolError>> + Send + Sync;

pub(crate) struct RuntimeTool {
    pub(crate) description: String,
    pub(crate) annotations: Annotations,
    pub(crate) location: Location,
    pub(crate) schema: ParameterSchema,
    validator: Validator,
    call: Box<Closure>,
}

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
        let caller = std::panic::Location::caller();
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
        let tool = RuntimeTool {
            description: description.into(),
            annotations: Annotations::default(),
            location: Location { file: caller.file(), line: caller.line() },
            schema: ParameterSchema::of(root),
            validator,
            call: Box::new(call),
        };
        Ok(Self::of_runtime(name, tool))
    }
}

impl RuntimeTool {
    pub(crate) async fn call(
        &self,
        values: Arguments,
        found: Vec<Problem>,
        context: ToolContext,
    ) -> Returned {
        let instance = Value::Object(Map::clone(&values));
        let mut problems = found;
        for error in self.validator.iter_errors(&instance) {
            let path = path(&error.instance_path().to_string());
            if !problems.iter().any(|problem| problem.is_at(&path)) {
                problems.push(Problem::new(path, error.to_string()));
            }
        }
        if problems.is_empty() {
            (self.call)(values, context).await.map_err(CallError::Tool)
        } else {
            Err(CallError::Arguments(problems))
        }
    }
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
    map.insert("type".to_owned(), "object".into());
    map.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    if let Some(definitions) = map.remove("definitions") {
        map.insert("$defs".to_owned(), definitions);
    }
    let mut schema = Value::Object(map);
    rename_references(&mut schema);
    let root = Root::read(&schema).ok_or("its properties are no object")?;
    Ok((root, schema))
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
