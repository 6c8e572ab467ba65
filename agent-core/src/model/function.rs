//! A model that is a closure.

use std::fmt;

use super::{BoxFuture, Model, ModelError, Reply, Request};
use crate::message::Message;

/// A closure over the messages so far.
///
/// ```
/// use agent_core::{FnModel, Message, Reply};
///
/// let echo = FnModel::new(|messages: &[Message]| match messages.last() {
///     Some(Message::User { content }) => Ok(Reply::text(content.clone())),
///     _ => Ok(Reply::text("?")),
/// });
/// ```
pub struct FnModel<F>(F);

impl<F> FnModel<F>
where
    F: Fn(&[Message]) -> Result<Reply, ModelError> + Send + Sync,
{
    /// A model that replies what `reply` returns.
    pub fn new(reply: F) -> Self {
        Self(reply)
    }
}

impl<F> Model for FnModel<F>
where
    F: Fn(&[Message]) -> Result<Reply, ModelError> + Send + Sync,
{
    fn name(&self) -> &str {
        "function"
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        Box::pin(std::future::ready((self.0)(request.messages)))
    }
}

impl<F> fmt::Debug for FnModel<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FnModel").finish_non_exhaustive()
    }
}
