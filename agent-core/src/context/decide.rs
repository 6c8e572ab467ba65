//! Asking a policy, and making sure that what it gives can be sent.

use super::{ContextPolicy, KeepNewest, Room};
use crate::message::Message;
use crate::transcript::Transcript;
use crate::unwind::unless_it_panics;

/// What to show of `messages`: what `policy` says if that can be sent, else what the default one
/// makes of it.
pub(super) fn decide(
    policy: &dyn ContextPolicy,
    messages: &[Message],
    room: &Room<'_>,
) -> Vec<Message> {
    let default = KeepNewest::default();
    let given = unless_it_panics(|| policy.cut(messages, room));
    match given.and_then(|given| sendable(given, messages)) {
        Some(given) if room.count_all(&given) <= room.tokens() => given,
        Some(given) => default.cut(&given, room),
        None => default.cut(messages, room),
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
