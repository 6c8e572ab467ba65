//! A model that is a closure.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::{BoxFuture, Model, ModelError, Reply, Request};
use crate::message::Message;

/// A closure over the messages so far; it may keep count of what it was asked.
///
/// ```
/// use agent_core::{FnModel, Message, Reply};
///
/// let echo = FnModel::new(|messages: &[Message]| match messages.last() {
///     Some(Message::User { content }) => Ok(Reply::text(content.clone())),
///     _ => Ok(Reply::text("?")),
/// });
/// ```
pub struct FnModel<F>(Mutex<F>);

impl<F> FnModel<F>
where
    F: FnMut(&[Message]) -> Result<Reply, ModelError> + Send,
{
    /// A model that replies what `reply` returns.
    pub fn new(reply: F) -> Self {
        Self(Mutex::new(reply))
    }
}

impl<F> Model for FnModel<F>
where
    F: FnMut(&[Message]) -> Result<Reply, ModelError> + Send,
{
    fn name(&self) -> &str {
        "function"
    }

    fn reply<'a>(&'a self, request: Request<'a>) -> BoxFuture<'a, Result<Reply, ModelError>> {
        let mut reply = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Box::pin(std::future::ready(reply(request.messages)))
    }
}

impl<F> fmt::Debug for FnModel<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FnModel").finish_non_exhaustive()
    }
}
