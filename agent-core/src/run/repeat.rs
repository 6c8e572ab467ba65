//! Noticing the same call, or the same two in turn, over and over.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::message::{Arguments, ToolCall};

/// The longest circle of calls that is noticed: A B A B.
const LONGEST: usize = 2;

/// The calls lately made, and how far they repeat the ones before, results included.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct RepeatGuard {
    /// As many as the longest circle, oldest first.
    recent: VecDeque<Made>,
    /// For circles of one call and of two: how many calls in a row were like the one a circle before.
    alike: [u32; LONGEST],
    /// Whether the last call judged was refused.
    refused: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Made {
    name: String,
    arguments: Arguments,
    result: String,
}

/// What to do with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Run,
    /// Answer it without running it.
    Refuse(Circle),
    /// Refuse it and stop the run.
    Stop(Circle),
}

/// A circle of calls that went round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Circle {
    /// How many calls are in it.
    pub(crate) calls: usize,
    /// How many times it went round, the call that is judged included.
    pub(crate) times: u32,
}

impl RepeatGuard {
    /// Judges `call`, of which `limit` in a row, or in turn with one other, are one too many. A limit
    /// of 0 judges nothing.
    pub(super) fn judge(&mut self, call: &ToolCall, limit: u32) -> Verdict {
        let again = self.refused && self.before(1).is_some_and(|made| made.is_of(call));
        let Some(circle) = self.circle(call, limit, again) else {
            self.refused = false;
            return Verdict::Run;
        };
        // Its result would have been that of a circle before.
        if let Some(result) = self.before(circle.calls).map(|made| made.result.clone()) {
            self.note(call, &result);
        }
        let refused = std::mem::replace(&mut self.refused, true);
        if refused { Verdict::Stop(circle) } else { Verdict::Refuse(circle) }
    }

    /// Notes what a call came to. A different result starts the count anew.
    pub(super) fn note(&mut self, call: &ToolCall, result: &str) {
        for calls in 1..=LONGEST {
            let same =
                self.before(calls).is_some_and(|made| made.is_of(call) && made.result == result);
            if let Some(alike) = self.alike.get_mut(calls - 1) {
                *alike = if same { alike.saturating_add(1) } else { 0 };
            }
        }
        if self.recent.len() == LONGEST {
            self.recent.pop_front();
        }
        let (name, arguments) = (call.name.clone(), call.arguments.clone());
        self.recent.push_back(Made { name, arguments, result: result.to_owned() });
    }

    /// Whether the verdict on `call` may hang on the results of calls that are still to be made.
    pub(super) fn may_circle(&self, call: &ToolCall) -> bool {
        let circling = self.alike.last().is_some_and(|alike| *alike > 0);
        circling && self.recent.iter().any(|made| made.is_of(call))
    }

    /// The circle that `call` would close once too often.
    fn circle(&self, call: &ToolCall, limit: u32, again: bool) -> Option<Circle> {
        if limit == 0 {
            return None;
        }
        (1..=LONGEST).zip(self.alike).find_map(|(calls, alike)| {
            let rounds = alike / calls as u32;
            let times = rounds.saturating_add(2);
            // A B A is no circle yet: a thing is looked at, changed and looked at again.
            let closed = times >= limit && (calls == 1 || rounds > 0);
            let repeats = self.before(calls).is_some_and(|made| made.is_of(call));
            (repeats && (closed || again)).then_some(Circle { calls, times })
        })
    }

    /// The call made so many calls before.
    fn before(&self, calls: usize) -> Option<&Made> {
        self.recent.get(self.recent.len().checked_sub(calls)?)
    }
}

impl Made {
    /// Objects compare without regard to the order of their keys.
    fn is_of(&self, call: &ToolCall) -> bool {
        self.name == call.name && self.arguments == call.arguments
    }
}

#[cfg(test)]
mod tests {
    use super::{Circle, RepeatGuard, Verdict};
    use crate::message::{Arguments, ToolCall};

    fn call(name: &str) -> ToolCall {
        ToolCall { id: String::new(), name: name.into(), arguments: Arguments::default() }
    }

    /// Judges calls, written `name` or `name=result`, one after the other: `.` ran, `R` was
    /// refused, `S` stopped the run.
    fn judged(limit: u32, calls: &str) -> String {
        let mut guard = RepeatGuard::default();
        let judge = |word: &str| {
            let (name, result) = word.split_once('=').unwrap_or((word, "same"));
            match guard.judge(&call(name), limit) {
                Verdict::Run => {
                    guard.note(&call(name), result);
                    '.'
                }
                Verdict::Refuse(_) => 'R',
                Verdict::Stop(_) => 'S',
            }
        };
        calls.split(' ').map(judge).collect()
    }

    #[test]
    fn the_same_call_and_result_is_refused_at_the_limit_and_then_stops_the_run() {
        assert_eq!(judged(3, "a a a a"), "..RS");
        assert_eq!(judged(2, "a a a"), ".RS");
        assert_eq!(judged(5, "a a a a a a"), "....RS");
        assert_eq!(judged(0, "a a a a a a"), "......");
    }

    #[test]
    fn two_calls_in_turn_are_refused_when_they_come_round_too_often() {
        assert_eq!(judged(3, "a b a b a b"), "....RS");
        assert_eq!(judged(3, "x a b a b a a"), ".....RS");
        assert_eq!(judged(4, "a b a b a b a b"), "......RS");
        assert_eq!(judged(2, "a b a b a"), "....R");
    }

    #[test]
    fn calls_that_make_progress_are_never_refused() {
        assert_eq!(judged(3, "a=1 a=2 a=3 a=4 a=5"), ".....");
        assert_eq!(judged(3, "a=1 b a=2 b a=3 b a=4 b"), "........");
        assert_eq!(judged(3, "a b c a b c a b c a b c"), "............");
        assert_eq!(judged(2, "a b a c a d a"), ".......");
    }

    #[test]
    fn another_call_after_a_refusal_starts_anew() {
        assert_eq!(judged(3, "a a a b a a a a"), "..R...RS");
    }

    #[test]
    fn a_verdict_tells_how_often_the_circle_went_round() {
        let mut guard = RepeatGuard::default();
        for name in ["a", "b", "a", "b"] {
            assert_eq!(guard.judge(&call(name), 3), Verdict::Run);
            guard.note(&call(name), "same");
        }
        assert_eq!(guard.judge(&call("a"), 3), Verdict::Refuse(Circle { calls: 2, times: 3 }));
    }
}
