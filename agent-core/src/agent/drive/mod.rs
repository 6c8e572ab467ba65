//! Driving a run on tokio: doing what its state machine asks for, and telling it what happened.

mod approve;
mod budget;
mod model;
mod tools;

use std::pin::pin;
use std::time::Instant;

use futures_util::future::{Either, select};

use super::{Run, RunError};
use crate::call::Job;
use crate::run::{Next, PlannedCall, StopReason};
use crate::tool::Spending;
use crate::trace::Event;
use crate::usage::Usage;

/// A run while it is driven. Dropping it settles the run: what tools have answered is kept, what is
/// pending is cancelled.
pub(super) struct Drive<'r> {
    run: &'r mut Run,
    /// The calls that are on their way.
    jobs: Vec<(PlannedCall, Job)>,
    /// What these may spend, and have spent.
    spending: Spending,
    /// What the request that is under way is expected to take.
    under_way: Option<u64>,
    deadline: Option<Instant>,
    error: Option<String>,
}

impl Drop for Drive<'_> {
    fn drop(&mut self) {
        self.settle(StopReason::Cancelled);
        self.run.driven = self.run.driven();
        self.run.driving_since = None;
    }
}

impl<'r> Drive<'r> {
    pub(super) fn new(run: &'r mut Run) -> Self {
        let now = Instant::now();
        let left = run.machine.limits().deadline.map(|time| time.saturating_sub(run.driven));
        let deadline = left.and_then(|left| now.checked_add(left));
        run.driving_since = Some(now);
        Self {
            run,
            jobs: Vec::new(),
            spending: Spending::default(),
            under_way: None,
            deadline,
            error: None,
        }
    }

    pub(super) async fn drive(mut self) -> Result<StopReason, RunError> {
        let interrupt = interrupt(self.run.cancel.clone(), self.deadline);
        let mut interrupt = pin!(interrupt);
        let outcome = match select(&mut interrupt, pin!(self.go_on())).await {
            Either::Left((reason, _)) => Ok(reason),
            Either::Right((outcome, _)) => outcome,
        };
        match outcome {
            Ok(reason) => {
                self.settle(reason);
                Ok(self.run.stop().unwrap_or(reason))
            }
            Err(error) => {
                self.error.get_or_insert_with(|| error.to_string());
                self.settle(StopReason::Error);
                Err(error)
            }
        }
    }

    /// Does what comes next until nothing does.
    async fn go_on(&mut self) -> Result<StopReason, RunError> {
        loop {
            // A model and tools that never wait would leave no chance to interrupt them.
            tokio::task::yield_now().await;
            match self.run.machine.next() {
                Next::Stopped(reason) => return Ok(reason),
                Next::CallModel { .. } => self.call_model().await?,
                Next::Approve(calls) => {
                    let calls = calls.to_vec();
                    self.approve(calls).await;
                }
                Next::RunTools(batch) => {
                    let batch = batch.to_vec();
                    self.run_tools(batch).await?;
                }
            }
            self.run.tell_self_answered();
        }
    }

    /// Ends the run for `reason` if it has not stopped, keeping what tools have answered by now.
    fn settle(&mut self, reason: StopReason) {
        for (planned, job) in std::mem::take(&mut self.jobs) {
            if let Some(answer) = job.answer() {
                self.answered(&planned, answer);
            }
        }
        self.count_spending();
        if let Some(prompt_tokens) = self.under_way.take() {
            // The provider has read it, though no one waits for its reply any more.
            self.run.machine.estimated(Usage { prompt_tokens, ..Usage::default() });
        }
        self.run.machine.stop(reason);
        self.run.tell_self_answered();
        if let Some(stop) = self.run.stop().filter(|_| !self.run.told) {
            self.run.told = true;
            let error = self.error.take();
            let counts = self.run.counts();
            self.run.teller.tell(|| Event::Stopped { stop, counts, error });
        }
    }

    fn step(&self) -> u32 {
        self.run.machine.counts().steps
    }
}

/// Ends when the run is cancelled or its deadline passes.
async fn interrupt(
    cancel: tokio_util::sync::CancellationToken,
    deadline: Option<Instant>,
) -> StopReason {
    let cancelled = pin!(cancel.cancelled());
    let Some(deadline) = deadline else {
        cancelled.await;
        return StopReason::Cancelled;
    };
    let passed = pin!(tokio::time::sleep_until(deadline.into()));
    match select(cancelled, passed).await {
        Either::Left(_) => StopReason::Cancelled,
        Either::Right(_) => StopReason::Deadline,
    }
}
