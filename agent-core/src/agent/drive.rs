//! Driving a run on tokio: doing what its state machine asks for, and telling it what happened.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::{Either, select};
use futures_util::stream::{FuturesUnordered, StreamExt};

use super::{Run, RunError};
use crate::call::{Answer, Job};
use crate::message::ToolResult;
use crate::model::{Delta, Request};
use crate::run::{Next, PlannedCall, SelfAnswered, StopReason};
use crate::tool::ToolContext;
use crate::trace::{Event, Mask};

/// A run while it is driven. Dropping it settles the run: what tools have answered is kept, what is
/// pending is cancelled.
pub(super) struct Drive<'r> {
    run: &'r mut Run,
    /// The calls that are on their way.
    jobs: Vec<(PlannedCall, Job)>,
    deadline: Option<Instant>,
    error: Option<String>,
    /// Whether the end of the run has been told.
    told: bool,
}

impl Drop for Drive<'_> {
    fn drop(&mut self) {
        self.settle(StopReason::Cancelled);
    }
}

impl<'r> Drive<'r> {
    pub(super) fn new(run: &'r mut Run) -> Self {
        let deadline =
            run.machine.limits().deadline.and_then(|time| Instant::now().checked_add(time));
        Self { run, jobs: Vec::new(), deadline, error: None, told: false }
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
                self.error = Some(error.to_string());
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
                Next::CallModel { tools } => self.call_model(tools).await?,
                Next::RunTools(batch) => {
                    let batch = batch.to_vec();
                    self.run_tools(batch).await?;
                }
            }
            self.tell_self_answered();
        }
    }

    async fn call_model(&mut self, tools: bool) -> Result<(), RunError> {
        let step = self.step() + 1;
        self.run.teller.tell(|| Event::StepStarted { step });
        let parts = Arc::clone(&self.run.agent.0);
        let teller = self.run.teller.clone();
        let mut on_delta = |delta: Delta<'_>| teller.tell(|| told(step, delta));
        let request = Request {
            messages: self.run.machine.transcript().messages(),
            tools: if tools { parts.toolbox.tools() } else { &[] },
            settings: &parts.settings,
            state: &mut self.run.model_state,
            on_delta: &mut on_delta,
        };
        let started = Instant::now();
        let reply = parts.model.reply(request).await.map_err(RunError::Model)?;
        let time = started.elapsed();
        self.run.teller.tell(|| Event::Replied {
            step,
            text: reply.text.clone(),
            reasoning: reply.reasoning.clone(),
            finish: reply.finish,
            usage: reply.usage,
            time,
        });
        self.run.machine.replied(reply, time);
        Ok(())
    }

    async fn run_tools(&mut self, batch: Vec<PlannedCall>) -> Result<(), RunError> {
        let parts = Arc::clone(&self.run.agent.0);
        let step = self.step();
        let mut waiting = batch.into_iter();
        let mut running = FuturesUnordered::new();
        loop {
            while running.len() < parts.limits.max_parallel {
                let Some(planned) = waiting.next() else { break };
                let PlannedCall { tool, call, .. } = &planned;
                self.run.teller.tell(|| Event::CallStarted {
                    step,
                    call: Mask::of(Some(tool), call).call(call),
                });
                let context = self.context(step, &call.id);
                let job = parts.job(tool.clone(), call.arguments.clone(), context);
                self.jobs.push((planned.clone(), job.clone()));
                let parts = &parts;
                running.push(async move {
                    let answer = parts.answer(&planned.tool, &planned.call, &job).await;
                    (planned, answer)
                });
            }
            let Some((planned, answer)) = running.next().await else { return Ok(()) };
            self.answered(&planned, &answer);
            if let Some(error) = answer.fatal {
                return Err(RunError::Tool { tool: planned.call.name, error });
            }
        }
    }

    fn answered(&mut self, planned: &PlannedCall, answer: &Answer) {
        let PlannedCall { index, call, tool } = planned;
        self.jobs.retain(|(pending, _)| pending.index != *index);
        let is_error = answer.error.is_some();
        let (call_id, name) = (call.id.clone(), call.name.clone());
        let result = ToolResult { call_id, name, content: answer.content.clone(), is_error };
        let step = self.step();
        self.run.teller.tell(|| {
            let shown = Mask::of(Some(tool), call);
            Event::CallFinished {
                step,
                call: shown.call(call),
                result: shown.result(&result),
                time: answer.time,
                raw: None,
                notes: shown.notes(&answer.notes),
            }
        });
        self.run.machine.answered(*index, result.content, is_error, answer.time);
    }

    /// Ends the run for `reason` if it has not stopped, keeping what tools have answered by now.
    fn settle(&mut self, reason: StopReason) {
        for (planned, job) in std::mem::take(&mut self.jobs) {
            if let Some(answer) = job.answer() {
                self.answered(&planned, answer);
            }
        }
        self.run.machine.stop(reason);
        self.tell_self_answered();
        if let Some(stop) = self.run.stop().filter(|_| !self.told) {
            self.told = true;
            let error = self.error.take();
            let counts = self.run.counts();
            self.run.teller.tell(|| Event::Stopped { stop, counts, error });
        }
    }

    fn tell_self_answered(&mut self) {
        let step = self.step();
        let parts = Arc::clone(&self.run.agent.0);
        for answered in self.run.machine.take_self_answered() {
            let SelfAnswered { call, result, raw } = &answered;
            self.run.teller.tell(|| {
                let shown = Mask::of(parts.toolbox.get(&call.name), call);
                Event::CallFinished {
                    step,
                    call: shown.call(call),
                    result: shown.result(result),
                    time: Duration::ZERO,
                    raw: shown.raw(raw.as_ref()),
                    notes: Vec::new(),
                }
            });
        }
    }

    fn step(&self) -> u32 {
        self.run.machine.counts().steps
    }

    fn context(&self, step: u32, call_id: &str) -> ToolContext {
        ToolContext {
            run_id: Arc::clone(&self.run.id),
            step,
            call_id: call_id.into(),
            deadline: self.deadline,
            cancelled: self.run.cancel.child_token(),
        }
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

/// The event of what happened on the way to a reply.
fn told(step: u32, delta: Delta<'_>) -> Event {
    match delta {
        Delta::Text(text) => Event::Text { step, text: text.to_owned() },
        Delta::Reasoning(text) => Event::Reasoning { step, text: text.to_owned() },
        Delta::Retry { attempt, wait, error } => {
            Event::Retry { step, attempt, wait, error: error.to_string() }
        }
    }
}
