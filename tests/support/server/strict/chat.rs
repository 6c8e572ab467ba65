//! The rules of Chat Completions.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::shared::{Checked, Ids, demand, name, paired, schema, unique_names};

#[derive(Deserialize)]
struct Request {
    model: String,
    messages: Vec<Message>,
    tools: Option<Vec<Tool>>,
    tool_choice: Option<Value>,
    parallel_tool_calls: Option<bool>,
    stream: Option<bool>,
    stream_options: Option<StreamOptions>,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    max_completion_tokens: Option<u32>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StreamOptions {
    #[serde(rename = "include_usage")]
    _include_usage: Option<bool>,
    #[serde(rename = "include_obfuscation")]
    _include_obfuscation: Option<bool>,
}

#[derive(Deserialize)]
#[serde(tag = "role", rename_all = "lowercase", deny_unknown_fields)]
enum Message {
    #[serde(alias = "developer")]
    System {
        content: Content,
    },
    User {
        content: Content,
    },
    Assistant(Assistant),
    Tool {
        tool_call_id: String,
        #[serde(rename = "content")]
        _content: Content,
    },
}

#[derive(Deserialize)]
struct Assistant {
    content: Option<Content>,
    refusal: Option<String>,
    tool_calls: Option<Vec<Call>>,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Part {
    Text { text: String },
}

#[derive(Deserialize)]
struct Call {
    id: String,
    r#type: String,
    function: Function,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Function {
    name: String,
    arguments: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    r#type: String,
    function: Definition,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    name: String,
    description: Option<String>,
    parameters: Option<Value>,
    strict: Option<bool>,
}

pub(super) fn check(body: &[u8], extensions: &[&str]) -> Checked {
    let request: Request = serde_json::from_slice(body)
        .map_err(|error| format!("we could not parse the JSON body: {error}"))?;
    known(&request.others, extensions)?;
    settings(&request)?;
    tools(&request)?;
    tool_options(&request)?;
    conversation(&request.messages, extensions)
}

/// Unknown fields are refused.
fn known(others: &Map<String, Value>, extensions: &[&str]) -> Checked {
    match others.keys().find(|field| !extensions.contains(&field.as_str())) {
        Some(field) => Err(format!("unknown field `{field}`")),
        None => Ok(()),
    }
}

/// Settings are in range, and do not contradict each other.
fn settings(request: &Request) -> Checked {
    demand!(!request.model.is_empty(), "you must provide a model");
    let temperature = request.temperature.unwrap_or_default();
    demand!((0.0..=2.0).contains(&temperature), "temperature {temperature} is not from 0 to 2");
    let limits = [request.max_tokens, request.max_completion_tokens];
    demand!(
        limits.iter().flatten().count() < 2,
        "max_tokens and max_completion_tokens are both set"
    );
    demand!(!limits.contains(&Some(0)), "the limit of tokens must be at least 1");
    demand!(
        request.stream_options.is_none() || request.stream == Some(true),
        "stream_options is only allowed when stream is true"
    );
    Ok(())
}

/// Each tool is a function with a name, a short description, and an object of parameters.
fn tools(request: &Request) -> Checked {
    let Some(tools) = &request.tools else { return Ok(()) };
    demand!((1..=128).contains(&tools.len()), "tools must hold from 1 to 128 tools");
    for Tool { r#type, function } in tools {
        demand!(r#type == "function", "a tool cannot be of type `{}`", r#type);
        name(&function.name, 64)?;
        let length = function.description.as_ref().map_or(0, |text| text.chars().count());
        demand!(length <= 1024, "the description of `{}` is too long", function.name);
        let Some(parameters) = &function.parameters else { continue };
        schema(&function.name, parameters)?;
        if function.strict == Some(true) {
            strict(&function.name, parameters)?;
        }
    }
    unique_names(tools.iter().map(|tool| tool.function.name.as_str()))
}

/// In a strict schema, each object is closed and requires all its properties.
fn strict(tool: &str, node: &Value) -> Checked {
    if let Some(Value::Object(properties)) = node.get("properties") {
        let closed = node["additionalProperties"] == false;
        demand!(closed, "`{tool}` is strict: additionalProperties must be false at every object");
        let required: Vec<_> = node["required"].as_array().into_iter().flatten().collect();
        let all = properties.keys().all(|name| required.iter().any(|known| *known == name));
        demand!(all, "`{tool}` is strict: required must list every property");
    }
    match node {
        Value::Object(map) => map.values().try_for_each(|value| strict(tool, value)),
        Value::Array(list) => list.iter().try_for_each(|value| strict(tool, value)),
        _ => Ok(()),
    }
}

/// What concerns tools needs tools, and a choice is one that there is.
fn tool_options(request: &Request) -> Checked {
    let tools = request.tools.as_deref().unwrap_or_default();
    demand!(
        !tools.is_empty() || request.parallel_tool_calls.is_none(),
        "parallel_tool_calls is only allowed when tools are specified"
    );
    let Some(choice) = &request.tool_choice else { return Ok(()) };
    demand!(!tools.is_empty(), "tool_choice is only allowed when tools are specified");
    let chosen = &choice["function"]["name"];
    let word = choice.as_str().is_some_and(|word| ["none", "auto", "required"].contains(&word));
    let named = tools.iter().any(|tool| *chosen == tool.function.name);
    demand!(word || named, "the tool_choice {choice} is none of the tools");
    Ok(())
}

/// Messages say something, and each call is followed by its result.
fn conversation(messages: &[Message], extensions: &[&str]) -> Checked {
    demand!(!messages.is_empty(), "messages must not be empty");
    let mut ids = Ids::default();
    let mut rest = messages;
    while let [message, others @ ..] = rest {
        rest = others;
        match message {
            Message::System { content } | Message::User { content } => {
                demand!(!content.is_empty(), "the content of a message must not be empty");
            }
            Message::Tool { tool_call_id, .. } => {
                return Err(format!(
                    "the result of `{tool_call_id}` must follow a message with tool_calls"
                ));
            }
            Message::Assistant(reply) => {
                assistant(reply, extensions, &mut ids)?;
                let results: Vec<&str> = others.iter().map_while(Message::answers).collect();
                let calls = reply.tool_calls.iter().flatten();
                paired(&calls.map(|call| call.id.as_str()).collect::<Vec<_>>(), &results)?;
                rest = &others[results.len()..];
            }
        }
    }
    Ok(())
}

/// A reply says or asks something; an empty list of calls is not allowed, and arguments are the text of
/// a JSON object.
fn assistant(reply: &Assistant, extensions: &[&str], ids: &mut Ids) -> Checked {
    known(&reply.others, extensions)?;
    let says = reply.content.as_ref().is_some_and(|content| !content.is_empty());
    demand!(
        says || reply.tool_calls.is_some() || reply.refusal.is_some(),
        "an assistant message must have either content or tool_calls"
    );
    let Some(calls) = &reply.tool_calls else { return Ok(()) };
    demand!(!calls.is_empty(), "[] is too short: tool_calls must not be empty");
    for Call { id, r#type, function, others } in calls {
        known(others, extensions)?;
        demand!(r#type == "function", "a call cannot be of type `{}`", r#type);
        ids.add(id)?;
        name(&function.name, 64)?;
        let arguments = serde_json::from_str::<Map<String, Value>>(&function.arguments);
        let error = arguments.err().map(|error| error.to_string());
        demand!(error.is_none(), "invalid tool call arguments: {}", error.unwrap_or_default());
    }
    Ok(())
}

impl Message {
    fn answers(&self) -> Option<&str> {
        match self {
            Self::Tool { tool_call_id, .. } => Some(tool_call_id),
            _ => None,
        }
    }
}

impl Content {
    fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Parts(parts) => {
                parts.is_empty() || parts.iter().any(|Part::Text { text }| text.is_empty())
            }
        }
    }
}
