//! The Anthropic Messages protocol.
//!
//! `write` makes the wire bytes of a message, once; `body` copies them together into a request. A
//! reply, read whole by `read` or event by event by `assemble`, is made of the content blocks in
//! `block`.

mod assemble;
mod block;
mod body;
mod builder;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;

use serde_json::{Map, Value};

pub use builder::AnthropicBuilder;

use crate::cost::Prices;
use crate::http::{Deltas, Http, Protocol};
use crate::model::{BoxFuture, Model, ModelError, Reply, Request, Settings};
use assemble::Assembler;
use body::Conversation;

/// Marks what goes back to this provider alone.
const PROVIDER: &str = "anthropic";

/// Tokens of a reply where the settings set no limit: the protocol wants one, and every model takes
/// this.
const MAX_TOKENS: u32 = 8192;

/// A model behind the Anthropic Messages protocol.
///
/// A reply has at most 8192 tokens where the [settings](Settings) set no limit. What the provider
/// has seen before is marked for its prompt cache.
///
/// ```no_run
/// use agent_core::anthropic::Anthropic;
///
/// let model = Anthropic::builder()
///     .api_key(&std::env::var("ANTHROPIC_API_KEY")?)
///     .model("claude-sonnet-4-5")
///     .build()?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct Anthropic {
    http: Http,
    model: String,
    context_window: Option<u64>,
    prices: Option<Prices>,
    stream: bool,
    /// Whether the model takes one.
    temperature: bool,
    extra: Map<String, Value>,
}

impl Anthropic {
    /// A model in the making.
    pub fn builder() -> AnthropicBuilder {
        AnthropicBuilder::default()
    }

    /// All fields but what grows with the conversation.
    fn fields(&self, settings: &Settings) -> Map<String, Value> {
        let mut fields = Map::new();
        let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
        set("max_tokens", settings.max_tokens.unwrap_or(MAX_TOKENS).into());
        if let Some(temperature) = settings.temperature.filter(|_| self.temperature) {
            set("temperature", temperature.into());
        }
        fields.extend(self.extra.clone());
        fields.retain(|_, value| !value.is_null());
        fields.insert("model".to_owned(), self.model.as_str().into());
        if self.stream {
            fields.insert("stream".to_owned(), true.into());
        }
        fields
    }
}

impl Model for Anthropic {
    fn name(&self) -> &str {
        &self.model
    }

    fn context_window(&self) -> Option<u64> {
        self.context_window
    }

    fn prices(&self) -> Option<Prices> {
        self.prices
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let Request { messages, tools, settings, state, on_delta, .. } = request;
            let conversation: &mut Conversation = state.get_or_default();
            conversation.update(messages, tools)?;
            let body = conversation.body(self.fields(settings), !tools.is_empty())?;
            self.http.ask(&Messages, body.into(), &mut Deltas::new(on_delta)).await
        })
    }
}

impl fmt::Debug for Anthropic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Anthropic")
            .field("model", &self.model)
            .field("http", &self.http)
            .finish_non_exhaustive()
    }
}

/// How replies of the protocol are read.
struct Messages;

impl Protocol for Messages {
    type Assembler = Assembler;

    fn assembler(&self) -> Assembler {
        Assembler::default()
    }

    fn whole(&self, body: &str) -> Result<Reply, ModelError> {
        read::reply(body)
    }
}
