//! What is to happen in each run: its steps, their faults, and its end.

use agent_core::model::{FinishReason, ModelErrorKind};
use agent_core::{Reply, StopReason};
use serde_json::{Value, json};
use tests::server::{Answer, End};

/// The question that every run is asked after its end.
pub(crate) const GO_ON: &str = "Go on.";

pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    pub(crate) ending: Ending,
    last_faults: Vec<Fault>,
}

/// One reply with calls, and what goes wrong before it.
pub(crate) struct Step {
    faults: Vec<Fault>,
    calls: Vec<Call>,
}

#[derive(Debug, Clone, Copy)]
enum Call {
    Good(u32),
    Unreadable(u32),
    OfWrongType(u32),
    Unknown(u32),
}

/// What goes wrong with a request, and passes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fault {
    Broken,
    Busy,
    Unavailable,
    Closed,
    Reset,
    CutOff,
    Garbage,
    Silent,
}

/// How a run ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ending {
    Stops(StopReason),
    Fails(ModelErrorKind),
    /// The server is silent, and the run is dropped.
    Dropped,
}

impl Plan {
    /// The plan of a run: the same each time it is asked for.
    pub(crate) fn of(run: u64) -> Self {
        let mut chance = Chance(run);
        let steps = (0..=chance.below(3)).map(|step| Step::by(&mut chance, step)).collect();
        let ending = match chance.below(100) {
            0..4 => Ending::Stops(StopReason::Incomplete),
            4..7 => Ending::Stops(StopReason::Empty),
            7..10 => Ending::Stops(StopReason::Refused),
            10..14 => Ending::Fails(ModelErrorKind::Status),
            14..17 => Ending::Fails(ModelErrorKind::Body),
            17..20 => Ending::Dropped,
            _ => Ending::Stops(StopReason::Answered),
        };
        Self { steps, ending, last_faults: Fault::some(&mut chance) }
    }

    /// What goes wrong with the request of a step, counted from 0, one try after the other.
    pub(crate) fn faults(&self, step: usize) -> &[Fault] {
        self.steps.get(step).map_or(&self.last_faults, |step| &step.faults)
    }

    /// The requests of the run that fail in a way that passes, and those that do not.
    pub(crate) fn requests(&self) -> (usize, usize) {
        let faults = (0..=self.steps.len()).map(|step| self.faults(step).len()).sum();
        (faults, self.steps.len() + 2)
    }

    pub(crate) fn calls(&self) -> usize {
        self.steps.iter().map(|step| step.calls.len()).sum()
    }

    pub(crate) fn good_calls(&self) -> usize {
        let calls = self.steps.iter().flat_map(|step| &step.calls);
        calls.filter(|call| matches!(call, Call::Good(_))).count()
    }

    /// The answer to the request of a step, counted from 0, after its faults.
    pub(crate) fn answer(&self, step: usize, streamed: bool) -> Answer {
        match self.steps.get(step) {
            Some(step) => {
                let reply = Reply::text("Let me see.");
                let reply = step.calls.iter().fold(reply, |reply, call| call.add_to(reply));
                Answer::reply(reply)
            }
            None => self.ending.answer(streamed),
        }
    }
}

impl Step {
    fn by(chance: &mut Chance, step: u32) -> Self {
        let call = |place, chance: &mut Chance| {
            let piece = 10 * step + place;
            match chance.below(100) {
                0..5 => Call::Unreadable(piece),
                5..10 => Call::OfWrongType(piece),
                10..15 => Call::Unknown(piece),
                _ => Call::Good(piece),
            }
        };
        let calls = (0..=chance.below(3)).map(|place| call(place, chance)).collect();
        Self { faults: Fault::some(chance), calls }
    }
}

impl Call {
    fn add_to(self, reply: Reply) -> Reply {
        match self {
            Self::Good(piece) => reply.and_call("work", json!({"piece": piece})),
            Self::Unreadable(piece) => {
                reply.and_call("work", Value::from(format!("{{\"piece\": {piece}")))
            }
            Self::OfWrongType(piece) => {
                reply.and_call("work", json!({"piece": format!("no {piece}")}))
            }
            Self::Unknown(piece) => reply.and_call(format!("work_{piece}"), json!({})),
        }
    }
}

impl Fault {
    fn some(chance: &mut Chance) -> Vec<Self> {
        let mut faults = Vec::new();
        while faults.len() < 3 && chance.below(100) < 25 {
            faults.push(match chance.below(29) {
                0..4 => Self::Broken,
                4..8 => Self::Busy,
                8..12 => Self::Unavailable,
                12..16 => Self::Closed,
                16..20 => Self::Reset,
                20..24 => Self::CutOff,
                24..28 => Self::Garbage,
                _ => Self::Silent,
            });
        }
        faults
    }

    pub(crate) fn answer(self) -> Answer {
        match self {
            Self::Broken => Answer::error(500, "api_error", "broken"),
            Self::Busy => {
                Answer::error(429, "rate_limit_error", "busy").with_header("retry-after", "0.01")
            }
            Self::Unavailable => Answer::body(503, "text/html", "<html><title>Later</title>"),
            Self::Closed => Answer::nothing(End::Close),
            Self::Reset => Answer::nothing(End::Reset),
            // Nothing that could be shown has come by then.
            Self::CutOff => Answer::reply(Reply::text("Let me see.")).cut_at(30, End::Close),
            Self::Garbage => Answer::garbage("HTTP/9 what?\r\n\r\n"),
            Self::Silent => Answer::nothing(End::Stall),
        }
    }
}

impl Ending {
    fn answer(self, streamed: bool) -> Answer {
        let cut = |finish| Answer::reply(Reply::text("So be").with_finish(finish));
        match self {
            Self::Stops(StopReason::Incomplete) => cut(FinishReason::Length),
            Self::Stops(StopReason::Refused) => cut(FinishReason::Refusal),
            Self::Stops(StopReason::Empty) => Answer::reply(Reply::text("")),
            Self::Fails(ModelErrorKind::Body) if streamed => Answer::events("data: <html>\n\n"),
            Self::Fails(ModelErrorKind::Body) => Answer::body(200, "text/html", "<html>"),
            Self::Fails(_) => Answer::error(400, "invalid_request_error", "no"),
            Self::Dropped => Answer::nothing(End::Stall),
            Self::Stops(_) => Answer::reply(Reply::text("So be it.")),
        }
    }
}

/// Numbers that look like chance and are the same each time (splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed ^ (mixed >> 31)) % limit).unwrap_or_default()
    }
}
