//! Models: whatever answers a request.

mod error;
mod function;
mod reply;
mod scripted;

use std::any::Any;
use std::fmt;
use std::time::Duration;

pub use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

pub use error::{ModelError, ModelErrorKind};
pub use function::FnModel;
pub use reply::{FinishReason, Reply, RequestedCall};
pub use scripted::{ScriptedModel, Sent};

use crate::cost::Prices;
use crate::message::Message;
use crate::schema::{Dialect, OutputSchema};
use crate::tool::Tool;

/// Whatever answers a request: a provider, a script, a planner.
///
/// It is given the whole transcript each time and must not depend on having seen it before; what it
/// wants to keep between the requests of one run, such as encoded messages, goes in
/// [`Request::state`].
///
/// ```
/// use agent_core::model::{BoxFuture, Model, ModelError, Reply, Request};
///
/// /// Says how many messages it was sent.
/// struct Counting;
///
/// impl Model for Counting {
///     fn name(&self) -> &str {
///         "counting"
///     }
///
///     fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
///         Box::pin(async move { Ok(Reply::text(request.messages.len().to_string())) })
///     }
/// }
/// ```
pub trait Model: Send + Sync {
    /// The name of the model, for people to read.
    fn name(&self) -> &str;

    /// How the schemas of tools are sent to it. An agent is not built with tools it cannot say.
    fn dialect(&self) -> Dialect {
        Dialect::default()
    }

    /// How many tokens a request and its reply may have together, if it is known. What a request
    /// shows of a long run is then [cut](crate::context) to fit.
    fn context_window(&self) -> Option<u64> {
        None
    }

    /// What it costs, if it is known.
    fn prices(&self) -> Option<Prices> {
        None
    }

    /// Whether it holds its replies to [`Request::output`], in a request with tools or in one
    /// without. What it then replies is checked all the same.
    fn structured_output(&self, with_tools: bool) -> bool {
        let _ = with_tools;
        false
    }

    /// Answers a request. A reply is whole: what the future gives has been received to its end.
    ///
    /// # Errors
    ///
    /// The model cannot answer; the run ends with it.
    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>>;
}

impl<M: Model + ?Sized> Model for std::sync::Arc<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn dialect(&self) -> Dialect {
        (**self).dialect()
    }

    fn context_window(&self) -> Option<u64> {
        (**self).context_window()
    }

    fn prices(&self) -> Option<Prices> {
        (**self).prices()
    }

    fn structured_output(&self, with_tools: bool) -> bool {
        (**self).structured_output(with_tools)
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        (**self).reply(request)
    }
}

impl<M: Model + ?Sized> Model for Box<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn dialect(&self) -> Dialect {
        (**self).dialect()
    }

    fn context_window(&self) -> Option<u64> {
        (**self).context_window()
    }

    fn prices(&self) -> Option<Prices> {
        (**self).prices()
    }

    fn structured_output(&self, with_tools: bool) -> bool {
        (**self).structured_output(with_tools)
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        (**self).reply(request)
    }
}

/// One request to a model.
#[non_exhaustive]
pub struct Request<'a> {
    /// The transcript, or as much of it as fits the model's [window](Model::context_window).
    pub messages: &'a [Message],
    /// The tools it may call, sorted by name.
    pub tools: &'a [Tool],
    /// How it should answer.
    pub settings: &'a Settings,
    /// The shape its text is to have, where it calls no tool. Only a model that can [hold its
    /// replies to it](Model::structured_output) is given one.
    pub output: Option<&'a OutputSchema>,
    /// What the model keeps between the requests of this run. The messages it has seen only grow, and
    /// the models here rely on it: the state is a new one after a [cut](crate::context), and a model
    /// that wraps another and edits messages hands it a state of its own.
    pub state: &'a mut ModelState,
    /// Is told what arrives of the reply before it is whole, if the model knows.
    pub on_delta: &'a mut (dyn FnMut(Delta<'_>) + Send),
}

/// What happens on the way to a whole reply.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Delta<'d> {
    /// A piece of its text.
    Text(&'d str),
    /// A piece of its reasoning.
    Reasoning(&'d str),
    /// A request failed and will be sent again.
    Retry {
        /// Which request this was for the reply, counted from 1.
        attempt: u32,
        /// How long until the next.
        wait: Duration,
        /// What went wrong.
        error: &'d ModelError,
    },
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { messages, tools, settings, output, state, .. } = self;
        f.debug_struct("Request")
            .field("messages", &messages.len())
            .field("tools", &tools.len())
            .field("settings", settings)
            .field("output", output)
            .field("state", state)
            .finish_non_exhaustive()
    }
}

/// How a model should answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How freely it chooses its words, from 0; 0 unless set. `None` leaves it to the provider.
    pub temperature: Option<f64>,
    /// Tokens of one reply at most. `None` leaves it to the provider.
    pub max_tokens: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { temperature: Some(0.0), max_tokens: None }
    }
}

/// What a model keeps between the requests of one run: one value of a type of its own.
#[derive(Default)]
pub struct ModelState(Option<Box<dyn Any + Send + Sync>>);

impl ModelState {
    /// The value, made new at first use and where another type was kept.
    pub fn get_or_default<T: Default + Send + Sync + 'static>(&mut self) -> &mut T {
        if !self.0.as_ref().is_some_and(|kept| kept.is::<T>()) {
            self.0 = None;
        }
        let kept = self.0.get_or_insert_with(|| Box::new(T::default()));
        match kept.downcast_mut() {
            Some(value) => value,
            None => unreachable!("a value of another type was removed above"),
        }
    }
}

impl fmt::Debug for ModelState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ModelState").field(&self.0.is_some()).finish()
    }
}
