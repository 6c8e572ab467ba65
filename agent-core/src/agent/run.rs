//! A run: its transcript, and the means to drive it.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::drive::Drive;
use super::stream::{EventStream, Queue, Teller};
use super::{Agent, NoAnswer, RunError};
use crate::model::ModelState;
use crate::run::{Machine, Next, StopReason};
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
    pub(super) model_state: ModelState,
    pub(super) cancel: CancellationToken,
    pub(super) id: Arc<str>,
    question: String,
    started: bool,
    pub(super) teller: Teller,
}

impl Run {
    pub(super) fn new(agent: Agent, transcript: Transcript, question: String) -> Self {
        let parts = &agent.0;
        let machine = Machine::new(transcript, Arc::clone(&parts.toolbox), parts.limits.clone());
        let teller = Teller { listeners: parts.listeners.clone(), queue: None };
        let mut run = Self {
            agent,
            machine,
            model_state: ModelState::default(),
            cancel: CancellationToken::new(),
            id: "".into(),
            question: String::new(),
            started: false,
            teller,
        };
        run.ask(question);
        run
    }

    /// Asks a further question, to be [driven](Self::drive) as a run of its own on the same
    /// transcript. A run that is still going is cancelled first.
    pub fn ask(&mut self, question: impl Into<String>) {
        self.question = question.into();
        self.machine.ask(self.question.clone());
        self.id = uuid::Uuid::new_v4().to_string().into();
        self.started = false;
        self.teller.queue = None;
        if self.cancel.is_cancelled() {
            self.cancel = CancellationToken::new();
        }
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
        if let Next::Stopped(stop) = self.machine.next() {
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
        self.teller.queue.insert(Queue::default()).clone()
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

    /// The messages so far; valid at every moment.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        self.machine.transcript()
    }

    /// What the run did.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.machine.counts()
    }
}
