//! Asking the model.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Drive;
use crate::agent::RunError;
use crate::context::CutReport;
use crate::model::{Delta, ModelError, ModelErrorKind, ModelState, Reply, Request};
use crate::run::StopReason;
use crate::trace::Event;
use crate::usage::Usage;

impl Drive<'_> {
    pub(super) async fn call_model(&mut self) -> Result<(), RunError> {
        let step = self.step().saturating_add(1);
        let expected = self.fit_window(step);
        let Some(taken) = self.charge(expected).await? else {
            self.run.machine.stop(StopReason::DailyBudget);
            return Ok(());
        };
        self.run.teller.tell(|| Event::StepStarted { step });
        self.under_way = Some(expected);
        let replied = self.reply_that_fits(step).await;
        self.under_way = None;
        let (reply, time) = replied?;
        self.run.teller.tell(|| Event::Replied {
            step,
            text: reply.text.clone(),
            reasoning: reply.reasoning.clone(),
            finish: reply.finish,
            usage: reply.usage,
            time,
        });
        let used = self.count(&reply, expected);
        self.run.machine.replied(reply, time);
        self.settle_charge(taken, used).await
    }

    /// Makes sure that what the request shows fits the model's window, and gives the tokens it is
    /// expected to take.
    fn fit_window(&mut self, step: u32) -> u64 {
        let (_, cut) = self.run.context.view(self.run.machine.transcript().messages());
        self.tell_cut(step, cut);
        self.run.context.tokens()
    }

    fn tell_cut(&mut self, step: u32, cut: Option<CutReport>) {
        if let Some(cut) = cut {
            // What the model has kept is of messages that it is not shown any more.
            self.run.model_state = ModelState::default();
            self.run.teller.tell(|| cut.event(step));
        }
    }

    /// The reply. A request that the model finds too long is made smaller, as far as that goes.
    async fn reply_that_fits(&mut self, step: u32) -> Result<(Reply, Duration), RunError> {
        loop {
            let error = match self.reply(step).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            if error.kind() != ModelErrorKind::ContextLength {
                return Err(RunError::Model(error));
            }
            let cut = self.run.context.shrink(self.run.machine.transcript().messages());
            if cut.is_none() {
                return Err(RunError::Model(error));
            }
            self.tell_cut(step, cut);
        }
    }

    async fn reply(&mut self, step: u32) -> Result<(Reply, Duration), ModelError> {
        let parts = Arc::clone(&self.run.agent.0);
        let teller = self.run.teller.clone();
        let mut on_delta = |delta: Delta<'_>| teller.tell(|| told(step, delta));
        let messages = self.run.context.shown(self.run.machine.transcript().messages());
        let tools = self.run.machine.offered();
        let is_held_to = parts.model.structured_output(!tools.is_empty());
        let request = Request {
            messages,
            tools,
            settings: &parts.settings,
            output: self.run.output.as_deref().filter(|_| is_held_to),
            state: &mut self.run.model_state,
            on_delta: &mut on_delta,
        };
        let started = Instant::now();
        let reply = parts.model.reply(request).await?;
        Ok((reply, started.elapsed()))
    }

    /// Counts what a request and its reply took, by an estimate of what the provider did not count.
    fn count(&mut self, reply: &Reply, expected: u64) -> u64 {
        let Reply { usage, .. } = reply;
        self.run.context.counted(*usage);
        let mut missing = Usage::default();
        if usage.prompt_tokens == 0 {
            missing.prompt_tokens = expected;
        }
        if usage.completion_tokens == 0 {
            missing.completion_tokens = self.run.context.tokens_of_reply(reply);
        }
        self.run.machine.estimated(missing);
        usage.total().saturating_add(missing.total())
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
