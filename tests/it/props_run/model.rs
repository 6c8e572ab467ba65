//! A model that refuses invalid transcripts, as providers do.

use std::sync::Arc;
use std::time::Duration;

use agent_core::model::{BoxFuture, Model, ModelError, Request};
use agent_core::{Prices, Reply, ScriptedModel, Transcript};

use super::ledger::Ledger;

/// A dollar for a million tokens sent, ten for those that come back.
pub(super) fn prices() -> Prices {
    Prices::new(1.0, 10.0).and_then(|prices| prices.with_cached(0.5)).unwrap()
}

pub(super) struct Strict {
    script: ScriptedModel,
    /// How long it takes for a reply.
    thinking: Duration,
    ledger: Arc<Ledger>,
}

impl Strict {
    pub(super) fn new(replies: Vec<Reply>, thinking: Duration, ledger: Arc<Ledger>) -> Self {
        Self { script: ScriptedModel::new(replies), thinking, ledger }
    }
}

impl Model for Strict {
    fn name(&self) -> &str {
        "strict"
    }

    fn prices(&self) -> Option<Prices> {
        Some(prices())
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let transcript = Transcript::try_from(request.messages.to_vec());
            let transcript = transcript.map_err(|error| ModelError::new(error.to_string()))?;
            self.ledger.look_at(&transcript);
            if self.thinking.is_zero() {
                tokio::task::yield_now().await;
            } else {
                tokio::time::sleep(self.thinking).await;
            }
            self.script.reply(request).await
        })
    }
}
