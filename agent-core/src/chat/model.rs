//! The model.

use std::fmt;

use super::assemble::Assembly;
use super::builder::ChatCompletionsBuilder;
use super::recover;
use super::request::Common;
use crate::cost::Prices;
use crate::http::{Deltas, Http, Protocol, json};
use crate::model::{BoxFuture, Model, ModelError, Reply, Request};
use crate::schema::Dialect;

/// A model behind OpenAI's Chat Completions, which most providers and local servers speak.
///
/// ```no_run
/// use agent_core::chat::ChatCompletions;
/// use agent_core::profile::Profile;
///
/// // A server of one's own.
/// let local = ChatCompletions::builder().base_url("http://127.0.0.1:8080/v1").build()?;
/// // A provider that is known by name.
/// let preset = Profile::preset("deepseek").cloned().unwrap_or_default();
/// let remote = ChatCompletions::builder()
///     .profile(preset)
///     .api_key(&std::env::var("DEEPSEEK_API_KEY")?)
///     .extra("top_p", 0.9)
///     .build()?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct ChatCompletions {
    pub(super) http: Http,
    pub(super) common: Common,
}

impl ChatCompletions {
    /// A model in the making.
    pub fn builder() -> ChatCompletionsBuilder {
        ChatCompletionsBuilder::default()
    }
}

impl Model for ChatCompletions {
    fn name(&self) -> &str {
        &self.common.model
    }

    fn dialect(&self) -> Dialect {
        self.common.profile.dialect
    }

    fn context_window(&self) -> Option<u64> {
        self.common.profile.context_window
    }

    fn prices(&self) -> Option<Prices> {
        self.common.profile.prices
    }

    fn structured_output(&self, with_tools: bool) -> bool {
        self.common.profile.holds_to_schema(with_tools)
    }

    fn reply<'a>(&'a self, mut request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(async move {
            let body = self.common.body(&mut request)?;
            let mut deltas = Deltas::new(request.on_delta);
            self.http.ask(&Reading { provider: &self.common.profile.name }, body, &mut deltas).await
        })
    }
}

impl fmt::Debug for ChatCompletions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatCompletions")
            .field("model", &self.common.model)
            .field("profile", &self.common.profile.name)
            .field("http", &self.http)
            .finish_non_exhaustive()
    }
}

/// How replies of a provider are read.
pub(super) struct Reading<'p> {
    pub(super) provider: &'p str,
}

impl Protocol for Reading<'_> {
    type Assembler = Assembly;

    fn assembler(&self) -> Assembly {
        Assembly::new(self.provider)
    }

    fn whole(&self, body: &str) -> Result<Reply, ModelError> {
        Assembly::new(self.provider).whole(&json("the reply", body)?)
    }

    fn recover(&self, status: u16, body: &str) -> Option<Reply> {
        (status == 400).then(|| recover::failed_generation(body))?
    }
}
