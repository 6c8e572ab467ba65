//! Approval: who decides on calls that wait for it.

use std::fmt;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::{Parts, Run, SavedRun};
use crate::message::ToolCall;
use crate::run::Approval;
use crate::tool::Tool;
use crate::unwind;

/// Decides on calls that wait for approval: those of tools marked `needs_approval`, and those that
/// an [`ApprovalPolicy`](crate::run::ApprovalPolicy) names. An agent without one denies them all.
///
/// A closure from the request to the decision is one, set with
/// [`AgentBuilder::approve_with`](crate::AgentBuilder::approve_with). A decision that takes time, such as that of a
/// person, is awaited; the run's deadline goes on meanwhile, and [`Approval::Later`] stops the run until
/// it is there.
///
/// ```
/// use agent_core::agent::Approval;
/// use agent_core::{Agent, ScriptedModel, tool, tools};
/// use serde_json::json;
///
/// #[tool("Remove a file.", needs_approval)]
/// fn remove(path: String) -> String { format!("removed {path}") }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let agent = Agent::builder()
///     .model(ScriptedModel::new([]))
///     .tools(tools![remove])
///     .approve_with(|request| match request.call.arguments["path"].as_str() {
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
    /// Decides on a call. One that panics denies.
    fn approve<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Approval>;
}

/// A call that waits for approval.
#[non_exhaustive]
pub struct ApprovalRequest<'a> {
    /// The tool.
    pub tool: &'a Tool,
    /// The call, with its arguments as the tool will read them: `"5"` that was sent for a number is 5.
    /// To show it to a person, mask what is secret in it, with [`Agent::masks`](crate::Agent::masks).
    pub call: &'a ToolCall,
    /// The run it is a part of; none if the call was made by [`Agent::call`](crate::Agent::call).
    run: Option<&'a Run>,
}

impl<'a> ApprovalRequest<'a> {
    pub(super) fn new(tool: &'a Tool, call: &'a ToolCall, run: Option<&'a Run>) -> Self {
        Self { tool, call, run }
    }

    /// The run as it is now, to be kept while the decision takes its time. Should the process end
    /// meanwhile, [`Agent::restore`](crate::Agent::restore) goes on from it. None if no run made the
    /// call.
    #[must_use]
    pub fn save(&self) -> Option<SavedRun> {
        self.run.map(Run::save)
    }
}

impl fmt::Debug for ApprovalRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApprovalRequest").field("tool", &self.tool.name()).finish_non_exhaustive()
    }
}

#[diagnostic::do_not_recommend]
impl<F: Fn(&ApprovalRequest<'_>) -> Approval + Send + Sync> Approver for F {
    fn approve<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Approval> {
        Box::pin(async move { self(request) })
    }
}

impl Parts {
    /// What the approver decides.
    pub(super) async fn approval(&self, request: ApprovalRequest<'_>) -> Approval {
        let Some(approver) = &self.approver else {
            return Approval::deny("it needs approval, and no one is there to give it");
        };
        let asked = AssertUnwindSafe(async { approver.approve(&request).await });
        asked.catch_unwind().await.unwrap_or_else(|panic| {
            unwind::forget(panic);
            Approval::deny("the one who decides has failed")
        })
    }
}
