//! Calling one tool without a run.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Agent, ApprovalRequest};
use crate::call::report::{self, Report};
use crate::call::{Answer, as_read, read_arguments};
use crate::message::{ToolCall, ToolResult};
use crate::run::Approval;
use crate::tool::{Left, Spending, ToolContext};

/// Stands for the id of a call that no run makes.
const DIRECT: &str = "direct";

/// An id for a call that no run makes. Each is a work of its own, and so is its idempotency key;
/// asking for random bytes each time would take longer than the call.
fn new_id() -> String {
    static PROCESS: LazyLock<Uuid> = LazyLock::new(Uuid::new_v4);
    static CALLS: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", *PROCESS, CALLS.fetch_add(1, Ordering::Relaxed))
}

impl Agent {
    /// Calls one tool as a model would, with arguments as a model sends them: an object, or text
    /// that encodes one. The result is what the model would see.
    pub async fn call(&self, name: &str, arguments: Value) -> ToolResult {
        let answer = self.answer(name, arguments).await.unwrap_or_else(Answer::from);
        ToolResult {
            call_id: DIRECT.to_owned(),
            name: name.to_owned(),
            is_error: answer.error.is_some(),
            content: answer.content,
        }
    }

    async fn answer(&self, name: &str, arguments: Value) -> Result<Answer, Report> {
        let toolbox = self.toolbox();
        let unknown = || report::unknown_tool(name, &toolbox.nearest(name));
        let tool = toolbox.get(name).ok_or_else(unknown)?;
        let arguments = read_arguments(arguments).map_err(|(_, report)| report)?.into();
        let mut call = ToolCall { id: DIRECT.to_owned(), name: name.to_owned(), arguments };
        let mut changed = false;
        if self.0.policy.applies(tool, &call) {
            let read = as_read(tool, &call);
            match self.0.approval(ApprovalRequest::new(tool, &read, None)).await {
                Approval::Allow | Approval::AllowForRun => {}
                Approval::AllowWith { arguments } => {
                    changed = arguments != call.arguments;
                    call.arguments = arguments;
                }
                Approval::Deny { reason } => return Err(report::denied(&reason)),
                Approval::Later => return Err(report::denied("no one can decide on it now")),
            }
        }
        let context = ToolContext {
            run_id: new_id().into(),
            step: 1,
            index: 0,
            call_id: DIRECT.into(),
            tool: tool.clone(),
            arguments: call.arguments.clone(),
            deadline: None,
            cancelled: CancellationToken::new(),
            spending: Spending::new(Left::default(), self.0.ledger.clone()),
        };
        let mut answer = self.0.job(tool.clone(), call.arguments.clone(), context).run().await;
        if changed {
            answer.content = report::changed(&call.arguments, &answer.content);
        }
        Ok(answer)
    }
}
