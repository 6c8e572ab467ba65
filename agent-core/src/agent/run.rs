//! A run: its transcript, and the means to drive it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::drive::Drive;
use super::stream::{EventStream, Listening, Queue, Teller};
use super::{Agent, NoAnswer, NotPending, PendingCall, RunError, SavedRun};
use crate::budget::Ledger;
use crate::context::Context;
use crate::cost::Cost;
use crate::model::ModelState;
use crate::run::{Approval, Machine, Next, PlannedCall, StopReason};
use crate::schema::OutputSchema;
use crate::trace::Event;
use crate::transcript::Transcript;
use crate::usage::Counts;

/// One question on its way to an answer, and the transcript it leaves.
///
/// The transcript belongs to this value, not to the future that drives it. Dropping that future
/// loses nothing: results that were there are kept, and calls that were pending are answered
/// `error(cancelled)`. After a stop, [`ask`](Self::ask) goes on with a further question.
#[derive(Debug)]
pub struct Run {
    pub(super) agent: Agent,
    pub(super) machine: Machine,
    /// What requests show of the transcript.
    pub(super) context: Context,
    pub(super) model_state: ModelState,
    /// The shape of the answer, where it is to have one.
    pub(super) output: Option<Arc<OutputSchema>>,
    pub(super) cancel: CancellationToken,
    pub(super) id: Arc<str>,
    pub(super) question: String,
    started: bool,
    /// Whether it has been told that the run stopped.
    pub(super) told: bool,
    /// How long it was driven, without the time since `driving_since`.
    pub(super) driven: Duration,
    pub(super) driving_since: Option<Instant>,
    /// What the questions before the present one took, and cost.
    pub(super) counts_before: Counts,
    pub(super) cost_before: Cost,
    /// Where its tokens of the day are counted, if they are limited.
    pub(super) ledger: Option<Ledger>,
    pub(super) teller: Teller,
}

impl Run {
    /// A run without a question yet.
    pub(super) fn idle(agent: Agent, machine: Machine) -> Self {
        let (listeners, masks) = (agent.0.listeners.clone(), agent.0.masks.clone());
        let teller = Teller { listeners, masks, queue: Listening::default() };
        Self {
            context: Context::new(Arc::clone(&agent.0.window)),
            ledger: agent.0.ledger.clone(),
            agent,
            machine,
            model_state: ModelState::default(),
            output: None,
            cancel: CancellationToken::new(),
            id: "".into(),
            question: String::new(),
            started: false,
            told: true,
            driven: Duration::ZERO,
            driving_since: None,
            counts_before: Counts::default(),
            cost_before: Cost::default(),
            teller,
        }
    }

    /// Asks a further question, to be [driven](Self::drive) as a run of its own on the same
    /// transcript. A run that is still going is cancelled first.
    pub fn ask(&mut self, question: impl Into<String>) {
        self.cancel_pending();
        self.counts_before += self.counts();
        self.cost_before += self.cost().unwrap_or_default();
        self.question = question.into();
        self.machine.ask(self.question.clone());
        self.id = uuid::Uuid::new_v4().to_string().into();
        self.started = false;
        self.told = false;
        self.driven = Duration::ZERO;
        if self.cancel.is_cancelled() {
            self.cancel = CancellationToken::new();
        }
    }

    /// Cancels what is pending, and tells of it as a part of the run that it belongs to.
    fn cancel_pending(&mut self) {
        self.machine.end_turn(StopReason::Cancelled);
        self.tell_self_answered();
    }

    /// Drives the run until it stops. Returns at once if it has.
    ///
    /// # Errors
    ///
    /// The model failed, or a tool failed fatally. The transcript is valid then too, and the run
    /// can be asked further questions.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime, or in one without its timer (`enable_time`).
    pub async fn drive(&mut self) -> Result<StopReason, RunError> {
        if let Some(stop) = self.stop().filter(|_| self.told) {
            return Ok(stop);
        }
        if !self.started {
            self.started = true;
            self.teller.tell(|| Event::RunStarted {
                run_id: self.id.to_string(),
                question: self.question.clone(),
            });
        }
        Drive::new(self).drive().await
    }

    /// Drives the run as [`drive`](Self::drive) does, and tells of each event as it happens.
    /// Dropping the stream is dropping the future that drives the run.
    pub fn stream(&mut self) -> EventStream<'_, Result<StopReason, RunError>> {
        let events = self.queue();
        EventStream::new(Box::pin(self.drive()), events)
    }

    /// A queue that takes the events from now on.
    pub(super) fn queue(&mut self) -> Queue {
        let queue = Queue::default();
        self.teller.queue = queue.listening();
        queue
    }

    /// Stops this run when it is cancelled, also while a tool or the model is at work.
    #[must_use]
    pub fn cancel_token(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// The id of the run, new for each question.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The answer.
    ///
    /// # Errors
    ///
    /// The run stopped without one, or has not been driven to its end.
    pub fn answer(&self) -> Result<String, NoAnswer> {
        self.machine.answer().map(str::to_owned).ok_or(NoAnswer { stop: self.stop() })
    }

    /// Why the run stopped, if it has.
    #[must_use]
    pub fn stop(&self) -> Option<StopReason> {
        match self.machine.next() {
            Next::Stopped(stop) => Some(stop),
            _ => None,
        }
    }

    /// The calls that wait for approval: of a run that has stopped with `awaiting_approval`, or
    /// that was [restored](Agent::restore).
    #[must_use]
    pub fn pending(&self) -> Vec<PendingCall> {
        self.machine.undecided().iter().map(PendingCall::from).collect()
    }

    /// Decides on a call that waits for approval; [`drive`](Self::drive) then goes on with the run.
    ///
    /// # Errors
    ///
    /// No call with this id and these exact arguments waits for approval.
    pub fn decide(&mut self, pending: &PendingCall, approval: Approval) -> Result<(), NotPending> {
        let is_it = |planned: &PlannedCall| PendingCall::from(planned) == *pending;
        if !self.machine.undecided().iter().any(is_it) {
            return Err(NotPending::new(pending));
        }
        self.teller.tell(|| Event::ApprovalDecided {
            step: self.machine.counts().steps,
            call_id: pending.call.id.clone(),
            decision: approval.as_str().to_owned(),
        });
        self.machine.decided(pending.index, approval);
        self.told &= self.stop() == Some(StopReason::AwaitingApproval);
        Ok(())
    }

    /// The run as data, to be [restored](Agent::restore) later or in another process.
    #[must_use]
    pub fn save(&self) -> SavedRun {
        SavedRun::of(self)
    }

    /// How long it was driven.
    pub(super) fn driven(&self) -> Duration {
        let now = self.driving_since.map_or(Duration::ZERO, |since| since.elapsed());
        self.driven.saturating_add(now)
    }

    /// The messages so far; valid at every moment.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        self.machine.transcript()
    }

    /// What the run has cost, where the model [has prices](crate::Model::prices).
    #[must_use]
    pub fn cost(&self) -> Option<Cost> {
        self.machine.cost()
    }

    /// What the run did.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.machine.counts()
    }
}
