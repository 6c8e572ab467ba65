//! Asking the model.

use std::sync::Arc;
use std::time::Instant;

use super::Drive;
use crate::agent::RunError;
use crate::model::{Delta, Request};
use crate::trace::Event;

impl Drive<'_> {
    pub(super) async fn call_model(&mut self, tools: bool) -> Result<(), RunError> {
        let step = self.step() + 1;
        self.run.teller.tell(|| Event::StepStarted { step });
        let parts = Arc::clone(&self.run.agent.0);
        let teller = self.run.teller.clone();
        let mut on_delta = |delta: Delta<'_>| teller.tell(|| told(step, delta));
        let request = Request {
            messages: self.run.machine.transcript().messages(),
            tools: if tools { parts.toolbox.tools() } else { &[] },
            settings: &parts.settings,
            output: None,
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
