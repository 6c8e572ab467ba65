//! Noticing the same call over and over.

use crate::message::{Arguments, ToolCall};

/// The calls in a row that were alike in name, arguments and result.
#[derive(Debug, Default)]
pub(super) struct RepeatGuard {
    last: Option<Streak>,
}

#[derive(Debug)]
struct Streak {
    name: String,
    arguments: Arguments,
    result: String,
    calls: u32,
}

/// What to do with a call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Run,
    /// Answer it without running it: the same call, this many times in a row.
    Refuse(u32),
    /// Refuse it and stop the run.
    Stop(u32),
}

impl RepeatGuard {
    /// Judges `call`, of which `limit` in a row are one too many. A limit of 0 judges nothing.
    pub(super) fn judge(&mut self, call: &ToolCall, limit: u32) -> Verdict {
        let Some(streak) = self.last.as_mut().filter(|streak| streak.is_of(call)) else {
            return Verdict::Run;
        };
        let calls = streak.calls.saturating_add(1);
        if limit == 0 || calls < limit {
            return Verdict::Run;
        }
        streak.calls = calls;
        if calls == limit { Verdict::Refuse(calls) } else { Verdict::Stop(calls) }
    }

    /// Notes what a call came to. A different result starts the count anew.
    pub(super) fn note(&mut self, call: &ToolCall, result: &str) {
        match &mut self.last {
            Some(streak) if streak.is_of(call) && streak.result == result => {
                streak.calls = streak.calls.saturating_add(1);
            }
            last => {
                *last = Some(Streak {
                    name: call.name.clone(),
                    arguments: call.arguments.clone(),
                    result: result.to_owned(),
                    calls: 1,
                });
            }
        }
    }
}

impl Streak {
    /// Objects compare without regard to the order of their keys.
    fn is_of(&self, call: &ToolCall) -> bool {
        self.name == call.name && self.arguments == call.arguments
    }
}
