//! A model that replies what it was told to.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{BoxFuture, Delta, Model, ModelError, Reply, Request};

/// Gives the replies of a script, in order.
///
/// ```
/// use agent_core::{Agent, Reply, ScriptedModel, tool, tools};
/// use serde_json::json;
///
/// #[tool("Add two numbers.")]
/// fn add(a: f64, b: f64) -> f64 { a + b }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let script = ScriptedModel::new([Reply::call("add", json!({"a": 1, "b": 2})), Reply::text("It is 3.")]);
/// let agent = Agent::builder().model(script).tools(tools![add]).build()?;
/// assert_eq!(agent.run("What is 1 + 2?").await?.answer()?, "It is 3.");
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ScriptedModel(Mutex<Script>);

#[derive(Debug)]
struct Script {
    replies: VecDeque<Reply>,
    sent: Vec<Sent>,
}

/// What a [`ScriptedModel`] was sent in one request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// The messages, as a range of the run's transcript.
    pub messages: Range<usize>,
    /// The names of the tools.
    pub tools: Vec<String>,
}

impl ScriptedModel {
    /// A script of replies.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self(Mutex::new(Script { replies: replies.into_iter().collect(), sent: Vec::new() }))
    }

    /// What it was sent, request by request.
    #[must_use]
    pub fn sent(&self) -> Vec<Sent> {
        self.script().sent.clone()
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, request: &Request<'_>) -> Result<Reply, ModelError> {
        let mut script = self.script();
        script.sent.push(Sent {
            messages: 0..request.messages.len(),
            tools: request.tools.iter().map(|tool| tool.name().to_owned()).collect(),
        });
        let asked = script.sent.len();
        script.replies.pop_front().ok_or_else(|| {
            ModelError::new(format!(
                "the script has no reply left for request {asked}; give it one more"
            ))
        })
    }
}

impl Model for ScriptedModel {
    fn name(&self) -> &str {
        "script"
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let reply = self.next(&request);
        if let Ok(Reply { text, .. }) = &reply
            && !text.is_empty()
        {
            (request.on_delta)(Delta::Text(text));
        }
        Box::pin(std::future::ready(reply))
    }
}
