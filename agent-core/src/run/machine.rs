//! The state machine.

use std::sync::Arc;
use std::time::Duration;

use super::next::{Next, SelfAnswered};
use super::progress::Progress;
use super::turn::{Rules, Turn};
use super::{Approval, ApprovalPolicy, CallIds, Limits, StopReason, Wanted};
use crate::cost::{Cost, Prices};
use crate::message::Message;
use crate::model::Reply;
use crate::tool::Left;
use crate::toolbox::Toolbox;
use crate::transcript::Transcript;
use crate::usage::{Counts, Spent, Usage};

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
///
/// Its state can be [saved](Self::save) at any moment and [restored](Self::restored) in another
/// process.
#[derive(Debug)]
pub struct Machine {
    pub(super) transcript: Transcript,
    pub(super) toolbox: Arc<Toolbox>,
    pub(super) limits: Limits,
    pub(super) policy: Arc<ApprovalPolicy>,
    pub(super) prices: Option<Prices>,
    pub(super) wanted: Option<Wanted>,
    pub(super) state: State,
    pub(super) ids: CallIds,
    pub(super) progress: Progress,
    pub(super) self_answered: Vec<SelfAnswered>,
}

#[derive(Debug)]
pub(super) enum State {
    Model,
    /// The last request, for an answer without tools.
    WrapUp,
    Tools(Turn),
    /// The turn goes on once someone has decided on its calls.
    Awaiting(Turn),
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
            policy: Arc::default(),
            prices: None,
            wanted: None,
            state: State::Stopped(StopReason::Empty),
            ids,
            progress: Progress::default(),
            self_answered: Vec::new(),
        }
    }

    /// The machine with rules for which calls wait for approval. Without, those of tools marked
    /// `needs_approval` do.
    #[must_use]
    pub fn with_approval_policy(mut self, policy: impl Into<Arc<ApprovalPolicy>>) -> Self {
        self.policy = policy.into();
        self
    }

    /// The machine with the prices of its model, to reckon what a run costs.
    #[must_use]
    pub fn with_prices(mut self, prices: Option<Prices>) -> Self {
        self.prices = prices;
        self
    }

    /// Starts a run with `question`. A run that is still going, or awaits approval, is cancelled
    /// first.
    pub fn ask(&mut self, question: impl Into<String>) {
        self.end_turn(StopReason::Cancelled);
        self.transcript.push_user(question);
        self.state = State::Model;
        self.progress = Progress::default();
    }

    /// What to do next. Asking twice changes nothing.
    #[must_use]
    pub fn next(&self) -> Next<'_> {
        match &self.state {
            State::Model => Next::CallModel { tools: true },
            State::WrapUp => Next::CallModel { tools: false },
            State::Tools(turn) if !turn.undecided().is_empty() => Next::Approve(turn.undecided()),
            State::Tools(turn) => Next::RunTools(turn.batch()),
            State::Awaiting(_) => Next::Stopped(StopReason::AwaitingApproval),
            State::Stopped(reason) => Next::Stopped(*reason),
        }
    }

    /// Tells that the model replied after `time`. Does nothing unless a reply is due.
    pub fn replied(&mut self, reply: Reply, time: Duration) {
        let wrap_up = match self.state {
            State::Model => false,
            State::WrapUp => true,
            State::Tools(_) | State::Awaiting(_) | State::Stopped(_) => return,
        };
        let counts = &mut self.progress.counts;
        counts.steps = counts.steps.saturating_add(1);
        counts.model_time = counts.model_time.saturating_add(time);
        let (usage, tokens, cost) = (reply.usage, reply.usage.total(), self.price(reply.usage));
        self.spend(Spent { usage, tokens, cost });
        if reply.tool_calls.is_empty() {
            self.finish_without_calls(reply, wrap_up);
        } else {
            let last = wrap_up.then(|| {
                let tool = self.answering_tool().cloned();
                tool.into_iter().fold(Toolbox::default(), |none, tool| none.and(tool))
            });
            let toolbox = last.as_ref().unwrap_or(&self.toolbox);
            let (turn, self_answered) = Turn::of_reply(reply, toolbox, &mut self.ids);
            self.self_answered.extend(self_answered);
            if wrap_up {
                // Its calls come to nothing; what does not fit is no answer.
                self.keep_answer(turn.text()).ok();
            }
            self.state = State::Tools(turn);
            self.plan();
        }
    }

    /// Tells what was decided on the [planned call](super::PlannedCall) at `index`, which waits for
    /// approval. Does nothing if none does there.
    ///
    /// [`Approval::Later`] stops the run until a decision is told.
    pub fn decided(&mut self, index: usize, approval: Approval) {
        let (State::Tools(turn) | State::Awaiting(turn)) = &mut self.state else { return };
        let Some(name) = turn.undecided().iter().find(|planned| planned.index == index) else {
            return;
        };
        let name = name.tool.name().to_owned();
        match approval {
            Approval::Allow => turn.allow(index, None),
            Approval::AllowWith { arguments } => turn.allow(index, Some(arguments)),
            Approval::AllowForRun => {
                let alike = turn.undecided().iter().filter(|planned| planned.tool.name() == name);
                for index in alike.map(|planned| planned.index).collect::<Vec<_>>() {
                    turn.allow(index, None);
                }
                self.progress.allowed.insert(name);
            }
            Approval::Deny { reason } => self.self_answered.extend(turn.deny(index, &reason)),
            Approval::Later => return self.await_approval(),
        }
        self.go_on();
        self.plan();
    }

    /// Tells what the [planned call](super::PlannedCall) at `index` came to, after `time` in the
    /// tool. Does nothing if it is not due.
    pub fn answered(
        &mut self,
        index: usize,
        content: impl Into<String>,
        is_error: bool,
        time: Duration,
    ) {
        let State::Tools(turn) = &mut self.state else { return };
        if turn.answer(index, content.into(), is_error) {
            let counts = &mut self.progress.counts;
            counts.tool_time = counts.tool_time.saturating_add(time);
            self.progress.executed = self.progress.executed.saturating_add(1);
            self.plan();
        }
    }

    /// Tells of tokens of a request and its reply that no one counted, as far as they can be
    /// estimated: they count against the budgets alone.
    pub fn estimated(&mut self, usage: Usage) {
        let (tokens, cost) = (usage.total(), self.price(usage));
        self.spend(Spent { usage: Usage::default(), tokens, cost });
    }

    /// Tells of what a tool used, as an agent that is one does: it counts like the run's own.
    pub(crate) fn spend(&mut self, spent: Spent) {
        self.progress.spend(spent);
    }

    /// What the run and its tools have used so far.
    pub(crate) fn spent(&self) -> Spent {
        let Progress { counts, tokens, cost, .. } = self.progress;
        Spent { usage: counts.usage, tokens, cost }
    }

    /// Ends the run. Calls that are still pending are answered `error(cancelled)`; what has been
    /// answered is kept. Does nothing to a run that has stopped.
    pub fn stop(&mut self, reason: StopReason) {
        match (&self.state, reason) {
            (State::Tools(turn), StopReason::AwaitingApproval) if !turn.undecided().is_empty() => {
                self.await_approval();
            }
            (State::Awaiting(_), _) => {}
            _ => self.end_turn(reason),
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
        self.progress.counts
    }

    /// What the run has cost so far, where the [prices](Self::with_prices) are known.
    #[must_use]
    pub fn cost(&self) -> Option<Cost> {
        self.prices.map(|_| self.progress.cost)
    }

    /// The answer, if there is one.
    #[must_use]
    pub fn answer(&self) -> Option<&str> {
        self.progress.answer.as_deref()
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The limits, to be made tighter before the run begins.
    pub(crate) fn limits_mut(&mut self) -> &mut Limits {
        &mut self.limits
    }

    /// What is left of the run's budgets.
    pub(crate) fn left(&self) -> Left {
        let Limits { token_budget: tokens, cost_budget: cost, .. } = self.limits;
        Left { tokens, cost }.without(self.spent())
    }

    /// The calls that wait for approval, also of a run that has stopped for it.
    #[must_use]
    pub fn undecided(&self) -> &[super::PlannedCall] {
        match &self.state {
            State::Tools(turn) | State::Awaiting(turn) => turn.undecided(),
            State::Model | State::WrapUp | State::Stopped(_) => &[],
        }
    }

    /// The calls that were answered without being run since this was last asked.
    pub fn take_self_answered(&mut self) -> Vec<SelfAnswered> {
        std::mem::take(&mut self.self_answered)
    }

    fn price(&self, usage: Usage) -> Cost {
        self.prices.map_or_else(Cost::default, |prices| prices.cost(usage))
    }

    fn await_approval(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Model) {
            State::Tools(turn) => State::Awaiting(turn),
            state => state,
        };
    }

    fn go_on(&mut self) {
        self.state = match std::mem::replace(&mut self.state, State::Model) {
            State::Awaiting(turn) => State::Tools(turn),
            state => state,
        };
    }

    /// Ends the run as [`stop`](Self::stop) does, also one that awaits approval.
    pub(crate) fn end_turn(&mut self, reason: StopReason) {
        match &mut self.state {
            State::Stopped(_) => {}
            State::Model | State::WrapUp => self.state = State::Stopped(reason),
            State::Tools(turn) | State::Awaiting(turn) => {
                self.self_answered.extend(turn.end(reason));
                self.finish_turn();
            }
        }
    }

    /// What comes after a step that did not end the run.
    pub(super) fn after_step(&self) -> State {
        let Progress { counts, failed, .. } = &self.progress;
        let Limits { max_steps, failing_limit, wrap_up, .. } = self.limits;
        let spent = counts.steps.cmp(&max_steps);
        if spent.is_gt() || (spent.is_eq() && !wrap_up) {
            State::Stopped(StopReason::MaxSteps)
        } else if let Some(reason) = self.progress.used_up(&self.limits) {
            State::Stopped(reason)
        } else if spent.is_eq() {
            State::WrapUp
        } else if failing_limit > 0 && *failed >= failing_limit {
            State::Stopped(StopReason::Failing)
        } else {
            State::Model
        }
    }

    /// Settles what comes next in a turn: the next batch, or its end.
    pub(super) fn plan(&mut self) {
        self.take_answers();
        let used_up = self.progress.used_up(&self.limits);
        let State::Tools(turn) = &mut self.state else { return };
        if !turn.is_idle() {
            return;
        }
        let Progress { repeat, executed, allowed, .. } = &mut self.progress;
        self.self_answered.extend(match used_up {
            // No one would read what the calls come to.
            Some(reason) if turn.is_waiting() => turn.end(reason),
            _ => turn.plan(Rules {
                guard: repeat,
                limits: &self.limits,
                policy: &self.policy,
                allowed,
                wanted: self.wanted.as_ref(),
                left: self.limits.max_tool_calls.saturating_sub(*executed),
            }),
        });
        match (turn.is_idle(), turn.is_waiting()) {
            (false, _) => {}
            (true, false) => self.finish_turn(),
            // A call that gives the answer comes next.
            (true, true) => self.plan(),
        }
    }

    fn finish_turn(&mut self) {
        let (State::Tools(turn) | State::Awaiting(turn)) =
            std::mem::replace(&mut self.state, State::Model)
        else {
            return;
        };
        let (message, results, stop) = turn.finish();
        let counts = &mut self.progress.counts;
        let answered = u32::try_from(results.len()).unwrap_or(u32::MAX);
        counts.tool_calls = counts.tool_calls.saturating_add(answered);
        let failed = results.iter().all(|result| result.is_error);
        self.progress.failed = if failed { self.progress.failed.saturating_add(1) } else { 0 };
        self.transcript.push_turn(message, results);
        self.state = stop.map_or_else(|| self.after_step(), State::Stopped);
        self.ask_for_wrap_up();
    }
}
