//! Approval: who decides on calls of tools that ask for it.

use futures_util::future::BoxFuture;

use crate::message::ToolCall;

/// Decides on calls of tools marked `needs_approval`. An agent without one denies them all.
///
/// A closure from the call to the decision is one:
///
/// ```
/// use agent_core::agent::Approval;
/// use agent_core::{Agent, ScriptedModel, ToolCall, tool, tools};
/// use serde_json::json;
///
/// #[tool("Remove a file.", needs_approval)]
/// fn remove(path: String) -> String { format!("removed {path}") }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let agent = Agent::builder()
///     .model(ScriptedModel::new([]))
///     .tools(tools![remove])
///     .approver(|call: &ToolCall| match call.arguments["path"].as_str() {
///         Some(path) if path.starts_with("tmp/") => Approval::Allow,
///         _ => Approval::deny("only files in tmp"),
///     })
///     .build()?;
/// assert_eq!(agent.call("remove", json!({"path": "tmp/a"})).await.content, "removed tmp/a");
/// let denied = agent.call("remove", json!({"path": "/etc/passwd"})).await.content;
/// assert!(denied.starts_with("error(denied): the call was not allowed: only files in tmp"));
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub trait Approver: Send + Sync {
    /// Decides on `call`, whose arguments are as the model sent them.
    fn approve<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, Approval>;
}

/// A decision on one call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// The call is run.
    Allow,
    /// The call is answered `error(denied)`.
    Deny {
        /// Why, for the model to read.
        reason: String,
    },
}

impl Approval {
    /// Denies, with a reason for the model to read.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny { reason: reason.into() }
    }
}

#[diagnostic::do_not_recommend]
impl<F: Fn(&ToolCall) -> Approval + Send + Sync> Approver for F {
    fn approve<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, Approval> {
        Box::pin(std::future::ready(self(call)))
    }
}
