//! Approval: which calls wait for it, and what may be decided.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::call::as_read;
use crate::message::{Arguments, ToolCall};
use crate::tool::Tool;
use crate::unwind::unless_it_panics;

/// A decision on one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Approval {
    /// The call is run.
    Allow,
    /// The call is run, and so is each later call of the same tool in this run, whatever its
    /// arguments.
    AllowForRun,
    /// The call is run with these arguments in place of its own. The model is told.
    AllowWith {
        /// The arguments.
        arguments: Arguments,
    },
    /// The call is answered `error(denied)`.
    Deny {
        /// Why, for the model to read.
        reason: String,
    },
    /// No one can decide now: the run stops with `awaiting_approval`. It can be saved, and goes on
    /// once someone has decided.
    Later,
}

impl Approval {
    /// Allows the call with other arguments.
    pub fn allow_with(arguments: impl Into<Arguments>) -> Self {
        Self::AllowWith { arguments: arguments.into() }
    }

    /// Denies, with a reason for the model to read.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny { reason: reason.into() }
    }

    /// The decision as a word, such as `allow_for_run`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::AllowForRun => "allow_for_run",
            Self::AllowWith { .. } => "allow_with",
            Self::Deny { .. } => "deny",
            Self::Later => "later",
        }
    }
}

/// Which calls wait for approval, beside those of tools marked `needs_approval`. A call that any
/// rule names waits.
///
/// ```
/// use agent_core::run::ApprovalPolicy;
///
/// let policy = ApprovalPolicy::new()
///     .destructive()
///     .tagged("mail")
///     .when(|_tool, call| call.arguments.get("amount").is_some_and(|amount| amount.as_f64() > Some(100.0)));
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct ApprovalPolicy(Vec<Arc<Rule>>);

type Rule = dyn Fn(&Tool, &ToolCall) -> bool + Send + Sync;

impl ApprovalPolicy {
    /// No rule: only calls of tools marked `needs_approval` wait.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every call waits.
    pub fn every_call(self) -> Self {
        self.when(|_, _| true)
    }

    /// Calls of tools that are not `read_only` wait.
    pub fn not_read_only(self) -> Self {
        self.when(|tool, _| !tool.annotations().read_only)
    }

    /// Calls of `destructive` tools wait.
    pub fn destructive(self) -> Self {
        self.when(|tool, _| tool.annotations().destructive)
    }

    /// Calls of `open_world` tools wait.
    pub fn open_world(self) -> Self {
        self.when(|tool, _| tool.annotations().open_world)
    }

    /// Calls of tools with this tag wait.
    pub fn tagged(self, tag: impl Into<String>) -> Self {
        let tag = tag.into();
        self.when(move |tool, _| tool.tags().contains(&tag.as_str()))
    }

    /// Calls of the tool of this name wait.
    pub fn named(self, name: impl Into<String>) -> Self {
        let name = name.into();
        self.when(move |tool, _| tool.name() == name)
    }

    /// Calls wait that `rule` says to. It sees the arguments as the tool will read them: `"5"` that
    /// was sent for a number is 5. A rule that panics says so of each call.
    pub fn when(mut self, rule: impl Fn(&Tool, &ToolCall) -> bool + Send + Sync + 'static) -> Self {
        self.0.push(Arc::new(rule));
        self
    }

    /// Whether `call` of `tool` waits for approval.
    #[must_use]
    pub fn applies(&self, tool: &Tool, call: &ToolCall) -> bool {
        let marked = tool.annotations().needs_approval;
        if marked || self.0.is_empty() {
            return marked;
        }
        // A rule must not miss what the tool is going to do, however the model spells it.
        let call = as_read(tool, call);
        // A faulty rule must not let a call through.
        self.0.iter().any(|rule| unless_it_panics(|| rule(tool, &call)).unwrap_or(true))
    }
}

impl fmt::Debug for ApprovalPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApprovalPolicy").field("rules", &self.0.len()).finish()
    }
}
