//! Running the calls of a batch.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};

use super::Drive;
use crate::agent::{Run, RunError};
use crate::call::Answer;
use crate::message::ToolResult;
use crate::run::{PlannedCall, SelfAnswered};
use crate::tool::{Spending, ToolContext};
use crate::trace::Event;

impl Drive<'_> {
    pub(super) async fn run_tools(&mut self, batch: Vec<PlannedCall>) -> Result<(), RunError> {
        let parts = Arc::clone(&self.run.agent.0);
        let step = self.step();
        let left = self.run.machine.left();
        self.spending = Spending::new(left, self.run.ledger.clone());
        let mut waiting = batch.into_iter();
        let mut running = FuturesUnordered::new();
        loop {
            while running.len() < parts.limits.max_parallel {
                let Some(planned) = waiting.next() else { break };
                let PlannedCall { tool, call, .. } = &planned;
                self.run.teller.tell(|| Event::CallStarted { step, call: call.clone() });
                let context = self.context(step, &planned);
                let job = parts.job(tool.clone(), call.arguments.clone(), context);
                self.jobs.push((planned.clone(), job.clone()));
                running.push(async move { (planned, job.run().await) });
            }
            let Some((planned, answer)) = running.next().await else { return Ok(()) };
            self.answered(&planned, &answer);
            if let Some(error) = answer.fatal {
                let error = RunError::Tool { tool: planned.call.name.clone(), error };
                self.error = Some(parts.masks.text_about(&planned.call, &error.to_string()));
                return Err(error);
            }
        }
    }

    pub(super) fn answered(&mut self, planned: &PlannedCall, answer: &Answer) {
        let PlannedCall { index, call, .. } = planned;
        self.jobs.retain(|(pending, _)| pending.index != *index);
        let is_error = answer.error.is_some();
        let (call_id, name) = (call.id.clone(), call.name.clone());
        let result = ToolResult { call_id, name, content: answer.content.clone(), is_error };
        let step = self.step();
        self.run.teller.tell(|| Event::CallFinished {
            step,
            call: call.clone(),
            result: result.clone(),
            time: answer.time,
            raw: None,
            notes: answer.notes.clone(),
        });
        self.count_spending();
        self.run.machine.answered(*index, result.content, is_error, answer.time);
    }

    /// Counts what tools have used of the run's tokens by now.
    pub(super) fn count_spending(&mut self) {
        self.run.machine.spend(self.spending.take());
    }

    fn context(&self, step: u32, planned: &PlannedCall) -> ToolContext {
        ToolContext {
            run_id: Arc::clone(&self.run.id),
            step,
            index: planned.index,
            call_id: planned.call.id.as_str().into(),
            tool: planned.tool.clone(),
            arguments: planned.call.arguments.clone(),
            deadline: self.deadline,
            cancelled: self.run.cancel.child_token(),
            spending: self.spending.clone(),
        }
    }
}

impl Run {
    /// Tells of the calls that were answered without being run.
    pub(in crate::agent) fn tell_self_answered(&mut self) {
        let step = self.machine.counts().steps;
        for SelfAnswered { call, result, raw } in self.machine.take_self_answered() {
            self.teller.tell(|| Event::CallFinished {
                step,
                call,
                result,
                time: Duration::ZERO,
                raw,
                notes: Vec::new(),
            });
        }
    }
}
