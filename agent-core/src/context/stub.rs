//! What stands in a request for the results that were cut.

use super::Room;
use crate::call::cut;
use crate::message::{Message, ToolCall, ToolResult};

/// Arguments up to this many bytes are repeated in a stub.
const SHORT: usize = 120;
/// Results are not shortened to fewer characters: they would be of no use.
const FEWEST: usize = 100;

/// A turn with stubs for its results, but for errors and for those of which a stub would not save
/// half.
pub(super) fn stubbed(turn: &[Message], room: &Room<'_>) -> Vec<Message> {
    let calls = match turn.first() {
        Some(Message::Assistant(reply)) => reply.tool_calls.as_slice(),
        _ => &[],
    };
    let stub = |message: &Message| match message {
        Message::Tool(result) if !result.is_error => {
            let call = calls.iter().find(|call| call.id == result.call_id);
            let stub = with_content(result, stub_text(&result.content, call, room));
            let saves = room.count(&stub).saturating_mul(2) <= room.count(message);
            if saves { stub } else { message.clone() }
        }
        other => other.clone(),
    };
    turn.iter().map(stub).collect()
}

/// A turn with its long results cut to one length, so that it takes at most `tokens`; `None` where
/// that would leave nothing of use.
pub(super) fn shortened(turn: &[Message], tokens: u64, room: &Room<'_>) -> Option<Vec<Message>> {
    let length = |message: &Message| match message {
        Message::Tool(result) => result.content.len(),
        _ => 0,
    };
    let longest = turn.iter().map(length).max()?;
    std::iter::successors(Some(longest), |length| Some(length / 2))
        .take_while(|length| *length >= FEWEST)
        .map(|length| turn.iter().map(|message| shorter(message, length)).collect::<Vec<_>>())
        .find(|turn| room.count_all(turn) <= tokens)
}

fn shorter(message: &Message, max_chars: usize) -> Message {
    match message {
        Message::Tool(result) => with_content(result, cut(&result.content, max_chars).into_owned()),
        other => other.clone(),
    }
}

fn with_content(result: &ToolResult, content: String) -> Message {
    let ToolResult { call_id, name, is_error, .. } = result;
    let (call_id, name, is_error) = (call_id.clone(), name.clone(), *is_error);
    Message::Tool(ToolResult { call_id, name, content, is_error })
}

fn stub_text(content: &str, call: Option<&ToolCall>, room: &Room<'_>) -> String {
    let length = content.chars().count();
    let advice = call.map(|call| advice(call, room)).unwrap_or_default();
    format!("[cut to save room: {length} characters{advice}]")
}

/// How to get a result back. A tool that changes things is not to be called again for that.
fn advice(call: &ToolCall, room: &Room<'_>) -> String {
    let ToolCall { name, arguments, .. } = call;
    match room.tool(name).map(|tool| tool.annotations().read_only) {
        None => String::new(),
        Some(false) => "; the call has done its work, do not repeat it to see them".to_owned(),
        Some(true) => match arguments.to_string() {
            short if short.len() <= SHORT => format!("; call {name}({short}) again to see them"),
            _ => format!("; call {name} again with the same arguments to see them"),
        },
    }
}
