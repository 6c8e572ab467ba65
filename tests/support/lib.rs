//! What the tests share.

pub mod server;

use std::collections::HashSet;

use agent_core::{Message, Transcript};

/// Checks a transcript as the strictest provider would, by other code than the core's own.
///
/// # Errors
///
/// Says what a provider would refuse.
pub fn check_transcript(transcript: &Transcript) -> Result<(), String> {
    let messages = transcript.messages();
    let mut ids = HashSet::new();
    let mut place = 0;
    while let Some(message) = messages.get(place) {
        place += 1;
        let reply = match message {
            Message::Assistant(reply) => reply,
            Message::Tool(result) => {
                return Err(format!("stray result {result:?} before message {place}"));
            }
            _ => continue,
        };
        for call in &reply.tool_calls {
            match messages.get(place) {
                Some(Message::Tool(result))
                    if result.call_id == call.id && result.name == call.name =>
                {
                    place += 1
                }
                other => return Err(format!("call {call:?} is followed by {other:?}")),
            }
            if call.id.is_empty() || !ids.insert(&call.id) {
                return Err(format!("the id of {call:?} is empty or occurs twice"));
            }
        }
    }
    let json = serde_json::to_string(transcript).map_err(|error| error.to_string())?;
    match serde_json::from_str::<Transcript>(&json) {
        Ok(back) if back == *transcript => Ok(()),
        Ok(_) => Err(format!("reads back different from {json}")),
        Err(error) => Err(format!("{error} when read back from {json}")),
    }
}

/// The results of the tool calls, in order.
#[must_use]
pub fn results(transcript: &Transcript) -> Vec<&str> {
    let results = transcript.messages().iter().filter_map(|message| match message {
        Message::Tool(result) => Some(result.content.as_str()),
        _ => None,
    });
    results.collect()
}
