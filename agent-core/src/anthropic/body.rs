//! The body of a request: what was encoded before, and copied together each time.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::write::{Encoded, Role, wire_name};
use crate::message::Message;
use crate::model::ModelError;
use crate::schema::Dialect;
use crate::tool::Tool;

/// The provider keeps what comes before such a mark, and reads it from its cache the next time. It
/// takes four: the tools, the system text, and the last two turns of the user, of which the first is
/// where the request before this one ended.
const CACHE_MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;

/// The conversation as it is sent, kept between the requests of a run.
#[derive(Debug, Default)]
pub(super) struct Conversation {
    messages: Vec<Encoded>,
    /// The names of the tools called in them.
    called: BTreeSet<String>,
    tools: Tools,
}

#[derive(Debug, Default)]
struct Tools {
    names: Vec<String>,
    json: String,
}

#[derive(Serialize)]
struct WireTool<'t> {
    name: &'t str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'t str,
    input_schema: &'t RawValue,
}

impl Conversation {
    /// Encodes what is new.
    pub(super) fn update(
        &mut self,
        messages: &[Message],
        tools: &[Tool],
    ) -> Result<(), ModelError> {
        if messages.len() < self.messages.len() {
            *self = Self::default();
        }
        for message in messages.iter().skip(self.messages.len()) {
            if let Message::Assistant(reply) = message {
                let names = reply.tool_calls.iter().map(|call| wire_name(&call.name).into_owned());
                self.called.extend(names);
            }
            self.messages.push(Encoded::of(message).map_err(unwritable)?);
        }
        if !tools.is_empty() && !self.tools.names.iter().eq(tools.iter().map(Tool::name)) {
            self.tools = Tools::of(tools)?;
        }
        Ok(())
    }

    /// The body with these further fields. Unless it `may_call`, the model is kept from tools.
    pub(super) fn body(
        &self,
        mut fields: Map<String, Value>,
        may_call: bool,
    ) -> Result<String, ModelError> {
        let tools = self.tools_to_send(may_call)?;
        if tools.is_none() {
            fields.remove("tool_choice");
        } else if !may_call {
            fields.insert("tool_choice".to_owned(), json!({"type": "none"}));
        }
        let mut body = serde_json::to_string(&fields).map_err(unwritable)?;
        body.pop();
        let length: usize = self.messages.iter().map(|message| message.blocks.len() + 64).sum();
        body.reserve(length + tools.as_ref().map_or(0, |tools| tools.len()));
        if let Some(tools) = tools {
            body.push_str(r#","tools":"#);
            body.push_str(&tools);
        }
        self.write_system(&mut body);
        self.write_messages(&mut body);
        body.push('}');
        Ok(body)
    }

    /// A conversation with calls in it is refused without tools, so that they are sent, and kept in
    /// the cache, also when none may be called. Where the calls were made elsewhere, tools of their
    /// names stand in.
    fn tools_to_send(&self, may_call: bool) -> Result<Option<Cow<'_, str>>, ModelError> {
        if !may_call && self.called.is_empty() {
            return Ok(None);
        }
        if !self.tools.json.is_empty() {
            return Ok(Some(Cow::Borrowed(&self.tools.json)));
        }
        let stand_in = |name| json!({"name": name, "input_schema": {"type": "object"}});
        let stand_ins: Vec<_> = self.called.iter().map(stand_in).collect();
        Ok(Some(Cow::Owned(serde_json::to_string(&stand_ins).map_err(unwritable)?)))
    }

    fn write_system(&self, body: &mut String) {
        let system = self.messages.iter().filter(|message| message.role == Role::System);
        let blocks: Vec<_> = said(system).collect();
        if !blocks.is_empty() {
            body.push_str(r#","system":"#);
            push_list(body, &blocks, true);
        }
    }

    /// Writes the messages. Those that follow each other with one role are one on the wire, so that
    /// all results of a turn stand together, before the text of the user.
    fn write_messages(&self, body: &mut String) {
        let spoken = self.messages.iter().filter(|message| message.role != Role::System);
        let spoken: Vec<_> = spoken.filter(|message| !message.blocks.is_empty()).collect();
        let turns: Vec<_> = spoken.chunk_by(|one, next| one.role == next.role).collect();
        let by_user = |turn: &[&Encoded]| turn.iter().any(|message| message.role == Role::User);
        body.push_str(r#","messages":["#);
        if !turns.first().is_some_and(|turn| by_user(turn)) {
            // The first word must be the user's.
            push_message(body, "user", &[r#"{"type":"text","text":"(empty)"}"#], false);
            body.push_str(if turns.is_empty() { "" } else { "," });
        }
        for (place, turn) in turns.iter().enumerate() {
            body.push_str(if place > 0 { "," } else { "" });
            let blocks: Vec<_> = said(turn.iter().copied()).collect();
            if by_user(turn) {
                push_message(body, "user", &blocks, place + 4 >= turns.len());
            } else {
                push_message(body, "assistant", &blocks, false);
            }
        }
        body.push(']');
    }
}

impl Tools {
    fn of(tools: &[Tool]) -> Result<Self, ModelError> {
        let mut objects = Vec::with_capacity(tools.len());
        for tool in tools {
            let rendered = tool
                .parameters_for(Dialect::JsonSchema)
                .map_err(|error| ModelError::new(error.to_string()).with_source(error))?;
            let (name, description) = (tool.name(), tool.description());
            let wire = WireTool { name, description, input_schema: &rendered.parameters };
            objects.push(serde_json::to_string(&wire).map_err(unwritable)?);
        }
        let mut json = String::new();
        push_list(&mut json, &objects.iter().map(String::as_str).collect::<Vec<_>>(), true);
        Ok(Self { names: tools.iter().map(|tool| tool.name().to_owned()).collect(), json })
    }
}

fn said<'c>(messages: impl Iterator<Item = &'c Encoded>) -> impl Iterator<Item = &'c str> {
    messages.map(|message| message.blocks.as_str()).filter(|blocks| !blocks.is_empty())
}

fn push_message(to: &mut String, role: &str, blocks: &[&str], marked: bool) {
    for part in [r#"{"role":""#, role, r#"","content":"#] {
        to.push_str(part);
    }
    push_list(to, blocks, marked);
    to.push('}');
}

/// Writes a list of objects, with a [`CACHE_MARK`] in the last if it is `marked`.
fn push_list(to: &mut String, objects: &[&str], marked: bool) {
    to.push('[');
    for (place, object) in objects.iter().enumerate() {
        to.push_str(if place > 0 { "," } else { "" });
        to.push_str(object);
    }
    if marked && to.pop().is_some() {
        to.push_str(CACHE_MARK);
        to.push('}');
    }
    to.push(']');
}

fn unwritable(error: serde_json::Error) -> ModelError {
    ModelError::new(format!("the request cannot be written as JSON: {error}")).with_source(error)
}
