//! What a [`Machine`](super::Machine) asks of its driver.

use serde_json::Value;

use super::StopReason;
use crate::message::{ToolCall, ToolResult};
use crate::tool::Tool;

/// What comes next in a run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Next<'m> {
    /// Send the transcript to the model.
    CallModel {
        /// Whether the model is offered tools.
        tools: bool,
    },
    /// Have it [decided](super::Machine::decided) whether these calls may be run.
    Approve(&'m [PlannedCall]),
    /// Run these calls; those of one list may run side by side.
    RunTools(&'m [PlannedCall]),
    /// Nothing: the run has stopped.
    Stopped(StopReason),
}

/// A call that is to be run, or to be approved first.
#[derive(Debug, Clone)]
pub struct PlannedCall {
    /// Its place among the calls of its reply.
    pub index: usize,
    /// The call, with the arguments it is to be run with.
    pub call: ToolCall,
    /// The tool it is for.
    pub tool: Tool,
}

/// A call that was answered without being run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SelfAnswered {
    /// The call.
    pub call: ToolCall,
    /// Its result.
    pub result: ToolResult,
    /// The arguments as they came, where they could not be read.
    pub raw: Option<Value>,
}
