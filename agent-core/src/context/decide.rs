//! Asking a policy, and making sure that what it gives can be sent.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{ContextPolicy, KeepNewest, Room};
use crate::message::Message;
use crate::transcript::Transcript;

/// What to show of `messages`: what `policy` says if that can be sent, else what the default one
/// makes of it.
pub(super) fn decide(
    policy: &dyn ContextPolicy,
    messages: &[Message],
    room: &Room<'_>,
) -> Vec<Message> {
    let default = KeepNewest::default();
    match given(policy, messages, room).and_then(|given| sendable(given, messages)) {
        Some(given) if room.count_all(&given) <= room.tokens() => given,
        Some(given) => default.cut(&given, room),
        None => default.cut(messages, room),
    }
}

fn given(
    policy: &dyn ContextPolicy,
    messages: &[Message],
    room: &Room<'_>,
) -> Option<Vec<Message>> {
    match catch_unwind(AssertUnwindSafe(|| policy.cut(messages, room))) {
        Ok(given) => Some(given),
        Err(panic) => {
            // What a panic carries may panic again when it is dropped.
            std::mem::forget(panic);
            None
        }
    }
}

/// The messages, if each call in them has its result and they end as those they stand for.
fn sendable(given: Vec<Message>, messages: &[Message]) -> Option<Vec<Message>> {
    let same_end = match (given.last(), messages.last()) {
        (Some(Message::Tool(one)), Some(Message::Tool(other))) => one.call_id == other.call_id,
        (one, other) => one == other,
    };
    let valid = Transcript::try_from(given).ok().filter(|_| same_end)?;
    Some(valid.into())
}
