//! Making any list of messages a valid transcript.

use std::collections::{HashMap, VecDeque};

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
    results: Vec<ToolResult>,
    ids: &mut CallIds,
) -> impl Iterator<Item = Message> {
    let mut answers = Vec::with_capacity(reply.tool_calls.len());
    let mut by_id: HashMap<String, VecDeque<ToolResult>> = HashMap::new();
    for result in results {
        by_id.entry(result.call_id.clone()).or_default().push_back(result);
    }
    for call in &mut reply.tool_calls {
        let found = by_id.get_mut(&call.id).and_then(VecDeque::pop_front);
        let mut result = found.unwrap_or_else(|| lost(&call.name));
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
