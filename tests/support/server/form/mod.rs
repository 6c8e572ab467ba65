//! Replies and errors in the form of each protocol.

mod chat;
mod messages;

use agent_core::Reply;
use serde_json::{Value, json};

use super::received::{Protocol, Received};

/// A body.
pub(super) enum Form {
    Whole(String),
    Events(String),
}

/// The reply as an answer to this request: in its protocol, streamed if it asks for a stream.
pub(super) fn reply(reply: &Reply, request: &Received) -> Form {
    let asked = request.json();
    let streamed = asked["stream"] == true;
    match (request.protocol(), streamed) {
        (Some(Protocol::Messages), false) => {
            Form::Whole(messages::whole(reply, &asked).to_string())
        }
        (Some(Protocol::Messages), true) => Form::Events(messages::events(reply, &asked)),
        (_, false) => Form::Whole(chat::whole(reply, &asked).to_string()),
        (_, true) => Form::Events(chat::events(reply, &asked)),
    }
}

pub(super) fn error(protocol: Option<Protocol>, kind: &str, message: &str) -> Value {
    match protocol {
        Some(Protocol::Messages) => {
            json!({"type": "error", "error": {"type": kind, "message": message}})
        }
        _ => json!({"error": {"message": message, "type": kind, "param": null, "code": null}}),
    }
}

/// The id of a call; one is made up where the reply names none, and never twice in a conversation.
fn call_id(id: &str, prefix: &str, asked: &Value, n: usize) -> String {
    let messages = asked["messages"].as_array().map_or(0, Vec::len);
    if id.is_empty() { format!("{prefix}_{messages}_{n}") } else { id.to_owned() }
}

/// The text in pieces, as a model would stream it.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(' ')
}

/// The two halves of a text.
fn halves(text: &str) -> [&str; 2] {
    let middle = (text.len() / 2..=text.len()).find(|place| text.is_char_boundary(*place));
    let (left, right) = text.split_at(middle.unwrap_or(0));
    [left, right]
}
