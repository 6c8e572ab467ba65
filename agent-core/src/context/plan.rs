//! What is kept of a conversation, chosen unit by unit.

use std::borrow::Cow;

use super::{Room, stub};
use crate::message::Message;

/// Added to the first question once turns after it are left out.
pub(super) const NOTE: &str = "\n\n[To save room, turns that came after this are left out.]";

/// A choice in the making: what is kept is counted at once.
pub(super) struct Plan<'m> {
    room: &'m Room<'m>,
    units: Vec<Unit<'m>>,
    /// Of what is kept so far, and of the note.
    tokens: u64,
}

/// A turn, which is a reply with the results of its calls, or one other message.
struct Unit<'m> {
    messages: &'m [Message],
    /// The place of the question that a turn answers.
    question: Option<usize>,
    /// What is kept of it.
    kept: Option<Cow<'m, [Message]>>,
}

impl Unit<'_> {
    fn is_question(&self) -> bool {
        matches!(self.messages, [Message::User { .. }, ..])
    }

    fn is_turn(&self) -> bool {
        matches!(self.messages, [Message::Assistant(_), ..])
    }

    fn is_system(&self) -> bool {
        matches!(self.messages, [Message::System { .. }, ..])
    }
}

impl<'m> Plan<'m> {
    pub(super) fn new(messages: &'m [Message], room: &'m Room<'m>) -> Self {
        let mut units: Vec<Unit<'m>> = Vec::new();
        let mut question = None;
        for messages in messages.chunk_by(|_, next| matches!(next, Message::Tool(_))) {
            let mut unit = Unit { messages, question: None, kept: None };
            if unit.is_question() {
                question = Some(units.len());
            } else if unit.is_turn() {
                unit.question = question;
            }
            units.push(unit);
        }
        Self { room, units, tokens: room.count(&Message::User { content: NOTE.to_owned() }) }
    }

    /// Keeps what is always shown, and shortens the results of the newest turn where it must.
    pub(super) fn keep_least(&mut self) {
        let last = |is: fn(&Unit<'m>) -> bool| self.units.iter().rposition(is);
        let newest = last(Unit::is_turn);
        let ends = [self.first_question(), last(Unit::is_question), newest].into_iter().flatten();
        let systems = self.units.iter().enumerate().filter(|(_, unit)| unit.is_system());
        let least: Vec<usize> = systems.map(|(index, _)| index).chain(ends).collect();
        for index in least {
            self.keep_whole(index);
        }
        if let Some(index) = newest {
            self.shorten(index);
        }
    }

    /// Keeps the newest of the rest: whole while that fits half of the room, then with stubs for
    /// results up to two thirds. The last `turns` turns may fill the room.
    pub(super) fn keep_newest(&mut self, turns: usize) {
        let all = self.room.tokens();
        let mut newer = 0;
        for index in (0..self.units.len()).rev() {
            let Some(unit) = self.units.get(index) else { break };
            let (messages, recent) = (unit.messages, newer < turns);
            newer += usize::from(unit.is_turn());
            let (whole, stubs) = if recent { (all, all) } else { (all / 2, all - all / 3) };
            let kept = unit.kept.is_some()
                || self.keep_within(whole, index, Cow::Borrowed(messages))
                || self.keep_within(stubs, index, Cow::Owned(stub::stubbed(messages, self.room)));
            if !kept {
                break;
            }
        }
    }

    pub(super) fn into_messages(mut self) -> Vec<Message> {
        if let Some(first) = self.first_question()
            && self.units.iter().skip(first).any(|unit| unit.kept.is_none())
            && let Some(question) = self.units.get_mut(first).and_then(|unit| unit.kept.as_mut())
            && let [Message::User { content }] = question.to_mut().as_mut_slice()
            && !content.ends_with(NOTE)
        {
            content.push_str(NOTE);
        }
        let kept = self.units.into_iter().filter_map(|unit| unit.kept);
        kept.flat_map(Cow::into_owned).collect()
    }

    /// Keeps `messages` of a unit, and the question it answers, if all is then within `limit`.
    fn keep_within(&mut self, limit: u64, index: usize, messages: Cow<'m, [Message]>) -> bool {
        let question = self.units.get(index).and_then(|unit| unit.question);
        let question = question.filter(|place| !self.is_kept(*place));
        let asked =
            question.and_then(|place| self.units.get(place)).map_or(&[][..], |q| q.messages);
        let more = self.room.count_all(messages.iter().chain(asked));
        if self.tokens.saturating_add(more) > limit {
            return false;
        }
        if let Some(place) = question {
            self.keep_whole(place);
        }
        self.keep(index, messages);
        true
    }

    /// Keeps a unit as it is, and the question it answers.
    fn keep_whole(&mut self, index: usize) {
        if self.is_kept(index) {
            return;
        }
        let Some(Unit { messages, question, .. }) = self.units.get(index) else { return };
        let (messages, question) = (*messages, *question);
        self.keep(index, Cow::Borrowed(messages));
        if let Some(place) = question {
            self.keep_whole(place);
        }
    }

    /// Shortens the results of a turn by as much as all is beyond the room.
    fn shorten(&mut self, index: usize) {
        let beyond = self.tokens.saturating_sub(self.room.tokens());
        let Some(Unit { messages, .. }) = self.units.get(index) else { return };
        let tokens = self.room.count_all(*messages);
        if let (1.., Some(allowed)) = (beyond, tokens.checked_sub(beyond))
            && let Some(turn) = stub::shortened(messages, allowed, self.room)
        {
            self.tokens = self.tokens.saturating_sub(tokens);
            self.keep(index, Cow::Owned(turn));
        }
    }

    fn keep(&mut self, index: usize, messages: Cow<'m, [Message]>) {
        if let Some(unit) = self.units.get_mut(index) {
            self.tokens = self.tokens.saturating_add(self.room.count_all(messages.iter()));
            unit.kept = Some(messages);
        }
    }

    fn first_question(&self) -> Option<usize> {
        self.units.iter().position(Unit::is_question)
    }

    fn is_kept(&self, index: usize) -> bool {
        self.units.get(index).is_some_and(|unit| unit.kept.is_some())
    }
}
