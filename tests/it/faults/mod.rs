//! Servers that misbehave, in both protocols, streamed and whole.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests may fail like the tests themselves"
)]

mod bodies;
mod retries;
mod secrets;
mod silence;
mod streams;
mod transport;

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agent_core::anthropic::Anthropic;
use agent_core::chat::ChatCompletions;
use agent_core::http::{Retries, Timeouts};
use agent_core::{Agent, AgentBuilder, FailedRun, Model, ModelError, Reply, Run, RunError};
use agent_core::{tool, tools};
use serde_json::json;
use tests::server::{Answer, Protocol, Server};

/// A way to ask a server.
#[derive(Debug, Clone, Copy)]
struct Setup {
    protocol: Protocol,
    stream: bool,
}

const SETUPS: [Setup; 4] = [
    Setup { protocol: Protocol::Chat, stream: true },
    Setup { protocol: Protocol::Chat, stream: false },
    Setup { protocol: Protocol::Messages, stream: true },
    Setup { protocol: Protocol::Messages, stream: false },
];

const STREAMED: [Setup; 2] = [SETUPS[0], SETUPS[2]];

/// The key every model is given. It must be seen nowhere but in the headers of requests.
const KEY: &str = "SENTINEL-123";

/// How often something happened, such as the tool.
#[derive(Default)]
struct Ran(AtomicUsize);

impl Ran {
    fn times(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }

    fn add(&self) -> usize {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

#[tool("Count one more.", register = false)]
fn count(#[state] ran: &Ran) -> usize {
    ran.add()
}

impl Setup {
    fn model(self, url: &str, timeouts: Timeouts, retries: Retries) -> Box<dyn Model> {
        let Self { protocol, stream } = self;
        match protocol {
            Protocol::Chat => {
                let model = ChatCompletions::builder().model("m").base_url(url).api_key(KEY);
                let model = model.stream(stream).timeouts(timeouts).retries(retries);
                Box::new(model.build().unwrap())
            }
            Protocol::Messages => {
                let model = Anthropic::builder().model("m").base_url(url).api_key(KEY);
                let model = model.stream(stream).timeouts(timeouts).retries(retries);
                Box::new(model.build().unwrap())
            }
        }
    }

    /// An agent that asks `server`, tries again soon, and has the tool that counts.
    fn agent(self, server: &Server, ran: &Arc<Ran>) -> AgentBuilder {
        let model = self.model(&server.url(), Timeouts::default(), soon());
        Agent::builder().model(model).tools(tools![count]).state(Arc::clone(ran))
    }

    /// Asks `server` once, and never again.
    async fn ask_once(self, server: &Server) -> Result<Run, FailedRun> {
        let model = self.model(&server.url(), Timeouts::default(), Retries::none());
        Agent::builder().model(model).tools([]).build().unwrap().run("Hello?").await
    }
}

/// Tries again as often as it is usual, but soon.
fn soon() -> Retries {
    Retries { first_wait: Duration::from_millis(1), ..Retries::default() }
}

fn counting() -> Answer {
    Answer::reply(Reply::call("count", json!({})))
}

fn hello() -> Answer {
    Answer::reply(Reply::text("Hello there, you."))
}

/// Why the model of a failed run did not answer.
fn model_error(failed: &FailedRun) -> &ModelError {
    match failed.error() {
        RunError::Model(error) => error,
        other => panic!("{other}"),
    }
}

/// All that an error says, in words and for debugging, with its causes.
fn everything(error: &(dyn Error + 'static)) -> String {
    let said = format!("{error} {error:?}");
    error.source().map_or(said.clone(), |cause| format!("{said} {}", everything(cause)))
}
