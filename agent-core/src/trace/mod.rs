//! The trace: the recorded events of a run.

mod hidden;
mod mask;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

pub use mask::{InvalidMask, Masks};

use crate::message::{ToolCall, ToolResult};
use crate::model::FinishReason;
use crate::run::StopReason;
use crate::unwind::unless_it_panics;
use crate::usage::{Counts, Usage, milliseconds};

/// Something that happened in a run, without what is [masked](Masks). Times serialise as milliseconds, under `ms`.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// A run began.
    RunStarted {
        /// The id of the run.
        run_id: String,
        /// What was asked.
        question: String,
    },
    /// The model is asked for a reply.
    StepStarted {
        /// The step, counted from 1.
        step: u32,
    },
    /// The messages do not fit the model's window any more, and the request shows less of them than
    /// the one before. The tokens are those of the whole request, estimated.
    ContextCut {
        /// The step.
        step: u32,
        /// Tool results that a stub now stands for, or that are shortened.
        results_cut: usize,
        /// Turns that are left out now.
        turns_dropped: usize,
        /// What the request would have taken.
        tokens_before: u64,
        /// What it takes.
        tokens_after: u64,
    },
    /// A piece of the reply's text arrived.
    Text {
        /// The step.
        step: u32,
        /// The piece.
        text: String,
    },
    /// A piece of the model's reasoning arrived.
    Reasoning {
        /// The step.
        step: u32,
        /// The piece.
        text: String,
    },
    /// A request failed and will be sent again.
    Retry {
        /// The step.
        step: u32,
        /// Which request this was for the reply, counted from 1.
        attempt: u32,
        /// How long until the next.
        #[serde(rename = "ms", serialize_with = "milliseconds::serialize")]
        wait: Duration,
        /// What went wrong.
        error: String,
    },
    /// The reply is whole.
    Replied {
        /// The step.
        step: u32,
        /// Its text.
        text: String,
        /// Reasoning the provider returned beside it.
        reasoning: Option<String>,
        /// How it ended.
        finish: FinishReason,
        /// The tokens it took.
        usage: Usage,
        /// How long the model took.
        #[serde(rename = "ms", serialize_with = "milliseconds::serialize")]
        time: Duration,
    },
    /// A call waits for approval.
    ApprovalAsked {
        /// The step.
        step: u32,
        /// The call.
        call: ToolCall,
    },
    /// Someone decided on a call.
    ApprovalDecided {
        /// The step.
        step: u32,
        /// The id of the call.
        call_id: String,
        /// The [decision as a word](crate::run::Approval::as_str).
        decision: String,
    },
    /// A tool is called.
    CallStarted {
        /// The step.
        step: u32,
        /// The call.
        call: ToolCall,
    },
    /// A call was answered.
    CallFinished {
        /// The step.
        step: u32,
        /// The call.
        call: ToolCall,
        /// Its result.
        result: ToolResult,
        /// How long the tool ran.
        #[serde(rename = "ms", serialize_with = "milliseconds::serialize")]
        time: Duration,
        /// The arguments as they came, where they could not be read.
        raw: Option<Value>,
        /// Which arguments were read otherwise than they were written.
        notes: Vec<String>,
    },
    /// The run stopped.
    Stopped {
        /// Why.
        stop: StopReason,
        /// What it did.
        counts: Counts,
        /// The error, where that is why.
        error: Option<String>,
    },
}

/// Hears of events.
pub(crate) type Listen = dyn Fn(&Event) + Send + Sync;

/// Who is told of events.
#[derive(Clone, Default)]
pub(crate) struct Listeners(Arc<Vec<Box<Listen>>>);

impl Listeners {
    pub(crate) fn new(listeners: Vec<Box<Listen>>) -> Self {
        Self(Arc::new(listeners))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A listener that panics is its own fault, and must not become that of the run.
    pub(crate) fn tell(&self, event: &Event) {
        for listen in self.0.iter() {
            unless_it_panics(|| listen(event));
        }
    }
}

impl fmt::Debug for Listeners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listeners").field(&self.0.len()).finish()
    }
}
