//! The run as a state machine: it is asked what comes next, and told what happened.
//!
//! It decides; it does not act. Nothing here knows of a clock, a file, a socket or a runtime.

mod ids;
mod limits;
mod next;
mod repeat;
mod stop;
#[cfg(test)]
mod tests;
mod turn;

use std::sync::Arc;
use std::time::Duration;

pub(crate) use ids::CallIds;
pub use limits::{InvalidLimits, Limits};
pub use next::{Next, PlannedCall, SelfAnswered};
pub use stop::StopReason;

use crate::message::{AssistantMessage, Message};
use crate::model::{FinishReason, Reply};
use crate::toolbox::Toolbox;
use crate::transcript::Transcript;
use crate::usage::Counts;
use repeat::RepeatGuard;
use turn::Turn;

/// What the model is told when its steps are used up and one last answer is asked for.
pub const WRAP_UP: &str = "The limit of steps is reached and no tool can be called any more. Answer now from what is known \
                       so far, and say what is missing.";

/// One run, decided step by step.
///
/// It owns the transcript, and appends to it whole turns only, so that the transcript is valid
/// whenever it can be seen. [`Agent`](crate::Agent) drives it on tokio; a test or a driver of your
/// own can do so by hand:
///
/// ```
/// use agent_core::run::{Limits, Machine, Next, StopReason};
/// use agent_core::{Reply, Toolbox, Transcript};
/// use std::time::Duration;
///
/// let mut machine = Machine::new(Transcript::new(), Toolbox::default(), Limits::default());
/// machine.ask("Which way is north?");
/// assert!(matches!(machine.next(), Next::CallModel { .. }));
/// machine.replied(Reply::text("Up."), Duration::ZERO);
/// assert!(matches!(machine.next(), Next::Stopped(StopReason::Answered)));
/// ```
#[derive(Debug)]
pub struct Machine {
    transcript: Transcript,
    toolbox: Arc<Toolbox>,
    limits: Limits,
    state: State,
    counts: Counts,
    ids: CallIds,
    repeat: RepeatGuard,
    executed: u32,
    answer: Option<String>,
    self_answered: Vec<SelfAnswered>,
}

#[derive(Debug)]
enum State {
    Model,
    /// The last request, for an answer without tools.
    WrapUp,
    Tools(Turn),
    Stopped(StopReason),
}

impl Machine {
    /// A machine that goes on from `transcript` once it is [asked](Self::ask) something.
    #[must_use]
    pub fn new(transcript: Transcript, toolbox: impl Into<Arc<Toolbox>>, limits: Limits) -> Self {
        let mut ids = CallIds::default();
        for message in transcript.messages() {
            if let Message::Assistant(reply) = message {
                reply.tool_calls.iter().for_each(|call| ids.note(&call.id));
            }
        }
        Self {
            transcript,
            toolbox: toolbox.into(),
            limits,
            state: State::Stopped(StopReason::Empty),
            counts: Counts::default(),
            ids,
            repeat: RepeatGuard::default(),
            executed: 0,
            answer: None,
            self_answered: Vec::new(),
        }
    }

    /// Starts a run with `question`. A run that is still going is cancelled first.
    pub fn ask(&mut self, question: impl Into<String>) {
        self.stop(StopReason::Cancelled);
        self.transcript.push_user(question);
        self.state = State::Model;
        self.counts = Counts::default();
        self.repeat = RepeatGuard::default();
        self.executed = 0;
        self.answer = None;
    }

    /// What to do next. Asking twice changes nothing.
    #[must_use]
    pub fn next(&self) -> Next<'_> {
        match &self.state {
            State::Model => Next::CallModel { tools: true },
            State::WrapUp => Next::CallModel { tools: false },
            State::Tools(turn) => Next::RunTools(turn.batch()),
            State::Stopped(reason) => Next::Stopped(*reason),
        }
    }

    /// Tells that the model replied after `time`. Does nothing unless a reply is due.
    pub fn replied(&mut self, reply: Reply, time: Duration) {
        let wrap_up = match self.state {
            State::Model => false,
            State::WrapUp => true,
            State::Tools(_) | State::Stopped(_) => return,
        };
        self.counts.steps = self.counts.steps.saturating_add(1);
        self.counts.usage += reply.usage;
        self.counts.model_time = self.counts.model_time.saturating_add(time);
        if reply.tool_calls.is_empty() {
            self.finish_without_calls(reply, wrap_up);
        } else {
            let empty = Toolbox::default();
            let toolbox = if wrap_up { &empty } else { &*self.toolbox };
            let (turn, self_answered) = Turn::new(reply, toolbox, &mut self.ids);
            self.self_answered.extend(self_answered);
            if wrap_up {
                self.keep_answer(turn.text());
            }
            self.state = State::Tools(turn);
            self.plan();
        }
    }

    /// Tells what the [planned call](PlannedCall) at `index` came to, after `time` in the tool.
    /// Does nothing if it is not due.
    pub fn answered(
        &mut self,
        index: usize,
        content: impl Into<String>,
        is_error: bool,
        time: Duration,
    ) {
        let State::Tools(turn) = &mut self.state else { return };
        if turn.answer(index, content.into(), is_error) {
            self.counts.tool_time = self.counts.tool_time.saturating_add(time);
            self.executed = self.executed.saturating_add(1);
            self.plan();
        }
    }

    /// Ends the run. Calls that are still pending are answered `error(cancelled)`; what has been
    /// answered is kept. Does nothing to a run that has stopped.
    pub fn stop(&mut self, reason: StopReason) {
        match &mut self.state {
            State::Stopped(_) => {}
            State::Model | State::WrapUp => self.state = State::Stopped(reason),
            State::Tools(turn) => {
                self.self_answered.extend(turn.cancel_rest(reason.why_pending_calls_end()));
                turn.stop_after(reason);
                self.finish_turn();
            }
        }
    }

    /// The transcript.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// What the run has done so far. A call counts once its whole turn is in the transcript.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The answer, if there is one.
    #[must_use]
    pub fn answer(&self) -> Option<&str> {
        self.answer.as_deref()
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The calls that were answered without being run since this was last asked.
    pub fn take_self_answered(&mut self) -> Vec<SelfAnswered> {
        std::mem::take(&mut self.self_answered)
    }

    fn finish_without_calls(&mut self, reply: Reply, wrap_up: bool) {
        self.state = match (wrap_up, reply.finish) {
            (true, _) => State::Stopped(StopReason::MaxSteps),
            (false, FinishReason::Pause) => self.after_step(),
            (false, _) => State::Stopped(stop_of(&reply)),
        };
        if matches!(self.state, State::Stopped(StopReason::Answered | StopReason::MaxSteps)) {
            self.keep_answer(&reply.text);
        }
        let message = AssistantMessage {
            content: reply.text,
            reasoning: reply.reasoning,
            tool_calls: Vec::new(),
            provider_data: reply.provider_data,
        };
        self.transcript.push_turn(message, Vec::new());
        self.ask_for_wrap_up();
    }

    /// What comes after a step that did not end the run.
    fn after_step(&self) -> State {
        if self.counts.steps < self.limits.max_steps {
            State::Model
        } else if self.limits.wrap_up && self.counts.steps == self.limits.max_steps {
            State::WrapUp
        } else {
            State::Stopped(StopReason::MaxSteps)
        }
    }

    fn ask_for_wrap_up(&mut self) {
        if matches!(self.state, State::WrapUp) {
            self.transcript.push_user(WRAP_UP);
        }
    }

    fn keep_answer(&mut self, text: &str) {
        self.answer = (!text.trim().is_empty()).then(|| text.to_owned());
    }

    /// Settles what comes next in a turn: the next batch, or its end.
    fn plan(&mut self) {
        let State::Tools(turn) = &mut self.state else { return };
        if !turn.batch().is_empty() {
            return;
        }
        let left = self.limits.max_tool_calls.saturating_sub(self.executed);
        self.self_answered.extend(turn.plan(&mut self.repeat, &self.limits, left));
        if turn.batch().is_empty() {
            self.finish_turn();
        }
    }

    fn finish_turn(&mut self) {
        let after = self.after_step();
        let State::Tools(turn) = std::mem::replace(&mut self.state, after) else { return };
        let (message, results, stop) = turn.finish();
        let answered = u32::try_from(results.len()).unwrap_or(u32::MAX);
        self.counts.tool_calls = self.counts.tool_calls.saturating_add(answered);
        self.transcript.push_turn(message, results);
        if let Some(reason) = stop {
            self.state = State::Stopped(reason);
        }
        self.ask_for_wrap_up();
    }
}

/// How a reply without tool calls ends the run.
fn stop_of(reply: &Reply) -> StopReason {
    match reply.finish {
        FinishReason::Length | FinishReason::ContentFilter => StopReason::Incomplete,
        FinishReason::Refusal => StopReason::Refused,
        _ if reply.text.trim().is_empty() => StopReason::Empty,
        _ => StopReason::Answered,
    }
}
