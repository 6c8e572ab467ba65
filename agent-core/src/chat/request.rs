//! The body of a request.

use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::encode::Encoded;
use crate::model::{ModelError, ModelErrorKind, Request};
use crate::profile::{Profile, TokenField};
use crate::schema::{Dialect, OutputSchema};
use crate::tool::Tool;

/// What is kept between the requests of a run.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Whose bytes they are.
    profile: Option<Arc<Profile>>,
    messages: Encoded,
    /// The names of tools, and the list of them as it is sent.
    tools: (Vec<String>, Vec<u8>),
}

/// What every request of a model has.
#[derive(Debug)]
pub(super) struct Common {
    pub(super) profile: Arc<Profile>,
    pub(super) model: String,
    pub(super) stream: bool,
    pub(super) extra: Map<String, Value>,
}

impl Common {
    /// The body of a request.
    pub(super) fn body(&self, request: &mut Request<'_>) -> Result<Bytes, ModelError> {
        let fields = self.fields(request)?;
        let fields = serde_json::to_vec(&fields).map_err(unwritable)?;
        let kept: &mut Kept = request.state.get_or_default();
        if !kept.profile.as_ref().is_some_and(|profile| Arc::ptr_eq(profile, &self.profile)) {
            *kept = Kept { profile: Some(Arc::clone(&self.profile)), ..Kept::default() };
        }
        let messages = kept.messages.bytes(request.messages, &self.profile).map_err(unwritable)?;
        let tools = tools(&mut kept.tools, request.tools, &self.profile)?;
        let parts: [&[u8]; 6] = match tools {
            [] => [br#"{"messages":["#, messages, b"]", b"", b",", fields.get(1..).unwrap_or(b"}")],
            tools => [
                br#"{"messages":["#,
                messages,
                br#"],"tools":"#,
                tools,
                b",",
                fields.get(1..).unwrap_or(b"}"),
            ],
        };
        Ok(parts.concat().into())
    }

    /// All fields but the messages and the tools; at least the model is among them.
    fn fields(&self, request: &Request<'_>) -> Result<Map<String, Value>, ModelError> {
        let Self { profile, model, stream, extra } = self;
        let Request { settings, tools, output, .. } = request;
        let mut fields = Map::new();
        let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        if let Some(temperature) = settings.temperature.filter(|_| profile.takes_temperature(model))
        {
            set("temperature", plain_number(temperature));
        }
        if let Some(max_tokens) = settings.max_tokens {
            let name = match profile.token_field {
                TokenField::MaxTokens => "max_tokens",
                TokenField::MaxCompletionTokens => "max_completion_tokens",
            };
            set(name, max_tokens.into());
        }
        if let Some(output) = output {
            set("response_format", response_format(output, profile.dialect)?);
        }
        if !tools.is_empty() && profile.parallel_tool_calls {
            set("parallel_tool_calls", true.into());
        }
        if *stream && profile.stream_usage {
            set("stream_options", json!({"include_usage": true}));
        }
        fields.extend(profile.extra.clone());
        fields.extend(extra.clone());
        // A field set to null is one left out.
        fields.retain(|_, value| !value.is_null());
        fields.insert("model".to_owned(), model.as_str().into());
        fields.insert("stream".to_owned(), (*stream).into());
        Ok(fields)
    }
}

/// The shape of the reply. A schema that OpenAI's strict subset cannot say is sent without `strict`,
/// and is then followed, but not enforced.
fn response_format(output: &OutputSchema, dialect: Dialect) -> Result<Value, ModelError> {
    let rendered = output.schema_for(dialect).map_err(|error| {
        let message = format!("the shape of the answer cannot be sent: {error}");
        ModelError::of(ModelErrorKind::Config, message)
    })?;
    let schema = serde_json::to_value(&rendered.parameters).map_err(unwritable)?;
    let strict = rendered.strict || dialect != Dialect::OpenAiStrict;
    let mut json_schema = json!({"name": output.name(), "schema": schema, "strict": strict});
    if let Some(description) = output.description() {
        json_schema["description"] = description.into();
    }
    Ok(json!({"type": "json_schema", "json_schema": json_schema}))
}

/// 0 rather than 0.0, as people write it.
fn plain_number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e9 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

/// The list of tools as it is sent, empty for none.
fn tools<'k>(
    kept: &'k mut (Vec<String>, Vec<u8>),
    tools: &[Tool],
    profile: &Profile,
) -> Result<&'k [u8], ModelError> {
    if tools.is_empty() {
        return Ok(&[]);
    }
    let (names, bytes) = kept;
    if !names.iter().map(String::as_str).eq(tools.iter().map(Tool::name)) {
        let functions: Vec<_> =
            tools.iter().map(|tool| Function::of(tool, profile)).collect::<Result<_, _>>()?;
        *bytes = serde_json::to_vec(&functions).map_err(unwritable)?;
        *names = tools.iter().map(|tool| tool.name().to_owned()).collect();
    }
    Ok(bytes)
}

#[derive(Serialize)]
struct Function<'t> {
    r#type: &'static str,
    function: Declaration<'t>,
}

#[derive(Serialize)]
struct Declaration<'t> {
    name: &'t str,
    description: &'t str,
    parameters: Box<RawValue>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

impl<'t> Function<'t> {
    fn of(tool: &'t Tool, profile: &Profile) -> Result<Self, ModelError> {
        let rendered = tool.parameters_for(profile.dialect).map_err(|error| {
            let message = format!("the tool `{}` cannot be sent: {error}", tool.name());
            ModelError::of(ModelErrorKind::Config, message)
        })?;
        let (name, description) = (tool.name(), tool.description());
        let (parameters, strict) = (rendered.parameters, rendered.strict);
        let function = Declaration { name, description, parameters, strict };
        Ok(Self { r#type: "function", function })
    }
}

fn unwritable(error: serde_json::Error) -> ModelError {
    ModelError::new(format!("the request cannot be written: {error}"))
}
