//! What a tool can learn of the call it answers.

use std::sync::Arc;
use std::time::Instant;

use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Spending, Tool};
use crate::message::Arguments;

/// What the keys of calls are made in.
const CALLS: Uuid = Uuid::from_u128(0x6f1c_2c52_8c0e_4b5e_9f43_2a7d_51b6_e0c9);

/// The call that a tool is answering; a parameter `#[context] context: &ToolContext` receives it.
///
/// ```
/// use agent_core::{ToolContext, tool};
///
/// #[tool("Sum the integers below n.", read_only)]
/// fn sum_below(#[context] context: &ToolContext, n: u64) -> Result<u64, &'static str> {
///     let mut sum: u64 = 0;
///     for i in 0..n {
///         if context.is_cancelled() {
///             return Err("stopped before the end");
///         }
///         sum = sum.wrapping_add(i);
///     }
///     Ok(sum)
/// }
/// ```
#[derive(Debug, Clone)]
pub struct ToolContext {
    pub(crate) run_id: Arc<str>,
    pub(crate) step: u32,
    /// The place of the call among those of its reply.
    pub(crate) index: usize,
    pub(crate) call_id: Arc<str>,
    pub(crate) tool: Tool,
    /// The arguments it is called with.
    pub(crate) arguments: Arguments,
    pub(crate) deadline: Option<Instant>,
    pub(crate) cancelled: CancellationToken,
    pub(crate) spending: Spending,
}

impl ToolContext {
    /// The id of the run, unique to it.
    #[must_use]
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// The step whose reply asked for the call, counted from 1.
    #[must_use]
    pub fn step(&self) -> u32 {
        self.step
    }

    /// The id of the call.
    #[must_use]
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// A key for this call alone, a UUID: the same when the call is made again because its result was
    /// lost with the process, or because the tool itself tries again; another for any other call, also
    /// for one with other arguments. Arguments marked `secret` have no part in it.
    ///
    /// Give it to a service that takes one, so that a payment, say, is made once.
    ///
    /// ```
    /// use agent_core::{ToolContext, tool};
    ///
    /// #[tool("Pay an amount in cents.", destructive)]
    /// fn pay(#[context] context: &ToolContext, cents: u32) -> String {
    ///     format!("Idempotency-Key: {}; {cents}", context.idempotency_key())
    /// }
    /// ```
    #[must_use]
    pub fn idempotency_key(&self) -> String {
        let Self { run_id, step, index, tool, arguments, .. } = self;
        let secrets: Vec<&str> = tool.secrets().collect();
        let open = arguments.iter().filter(|(name, _)| !secrets.contains(&name.as_str()));
        // A run that was lost and goes on may come to another call at the same place.
        let open: Arguments = open.map(|(name, value)| (name.clone(), value.clone())).collect();
        let call = format!("{run_id}.{step}.{index}.{}({open})", tool.name());
        Uuid::new_v5(&CALLS, call.as_bytes()).to_string()
    }

    /// When the call is given up, if it has a time limit.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether no one waits for the result any more: the run was cancelled, or the time is over.
    ///
    /// A sync tool that works for long should look now and then; nothing else can stop its thread.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_cancelled()
    }

    /// Waits until [`is_cancelled`](Self::is_cancelled) is true.
    pub async fn cancelled(&self) {
        self.cancelled.cancelled().await;
    }
}
