//! Making any list of messages a valid transcript.

use crate::call::report::{Report, cancelled};
use crate::message::{AssistantMessage, Message, ToolResult};
use crate::run::CallIds;

pub(super) fn repair(messages: Vec<Message>) -> Vec<Message> {
    let mut repaired = Vec::with_capacity(messages.len());
    let mut ids = CallIds::default();
    let mut rest = messages.into_iter().peekable();
    while let Some(message) = rest.next() {
        match message {
            Message::Tool(_) => {}
            Message::Assistant(reply) => {
                let mut results = Vec::new();
                while let Some(Message::Tool(result)) =
                    rest.next_if(|next| matches!(next, Message::Tool(_)))
                {
                    results.push(result);
                }
                repaired.extend(repair_turn(reply, results, &mut ids));
            }
            other => repaired.push(other),
        }
    }
    repaired
}

fn repair_turn(
    mut reply: AssistantMessage,
    mut results: Vec<ToolResult>,
    ids: &mut CallIds,
) -> impl Iterator<Item = Message> {
    let mut answers = Vec::with_capacity(reply.tool_calls.len());
    for call in &mut reply.tool_calls {
        let found = results.iter().position(|result| result.call_id == call.id);
        let mut result = match found {
            Some(place) => results.remove(place),
            None => lost(&call.name),
        };
        call.id = ids.claim(std::mem::take(&mut call.id));
        result.call_id.clone_from(&call.id);
        answers.push(Message::Tool(result));
    }
    std::iter::once(Message::Assistant(reply)).chain(answers)
}

fn lost(name: &str) -> ToolResult {
    let Report { text, .. } = cancelled("the result of this call was lost");
    ToolResult { call_id: String::new(), name: name.to_owned(), content: text, is_error: true }
}
