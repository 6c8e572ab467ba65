//! The default policy.

use super::plan::Plan;
use super::{ContextPolicy, Room};
use crate::message::Message;

/// Keeps what was said last; the default [`ContextPolicy`].
///
/// Results of tools are cut first, the oldest before newer ones. A stub that says how to get it back
/// stands for each. Then whole turns are left out, again the oldest first, and with them each
/// question of whose answer nothing is left; a note in the first question says so. A cut goes down to
/// two thirds of the room, so that the next is some steps away: results stay whole in the first half
/// of the room, stubs fill the rest.
///
/// Always shown are all instructions, the first question, the last question, and the newest turn. Where
/// not even these fit, the results of that turn are shortened; where that is not enough, the request
/// is sent all the same, and the provider's error tells.
///
/// ```
/// use agent_core::context::KeepNewest;
///
/// let policy = KeepNewest { turns: 4 };
/// assert_eq!(KeepNewest::default().turns, 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeepNewest {
    /// So many of the newest turns stay as they are while they fit the room. Default 2.
    pub turns: usize,
}

impl Default for KeepNewest {
    fn default() -> Self {
        Self { turns: 2 }
    }
}

impl ContextPolicy for KeepNewest {
    fn cut(&self, messages: &[Message], room: &Room<'_>) -> Vec<Message> {
        let mut plan = Plan::new(messages, room);
        plan.keep_least();
        plan.keep_newest(self.turns);
        plan.into_messages()
    }
}
