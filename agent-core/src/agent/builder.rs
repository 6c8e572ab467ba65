//! Putting an agent together.

use std::fmt;
use std::sync::Arc;

use super::{Agent, Approval, ApprovalRequest, Approver, Parts};
use crate::budget::Ledger;
use crate::context::{ContextPolicy, KeepNewest, Window};
use crate::model::{Model, Settings};
use crate::run::{ApprovalPolicy, InvalidLimits, Limits};
use crate::tool::{StateMap, Tool};
use crate::toolbox::{Toolbox, ToolboxError};
use crate::trace::{Event, InvalidMask, Listen, Listeners, Masks};

/// Tokens kept free for a reply, where no limit is set for it.
const REPLY: u64 = 4096;

/// An [`Agent`] in the making.
#[derive(Default)]
#[must_use]
pub struct AgentBuilder {
    model: Option<Box<dyn Model>>,
    tools: Option<Vec<Tool>>,
    states: StateMap,
    system: Option<String>,
    settings: Settings,
    limits: Limits,
    context_window: Option<u64>,
    context_policy: Option<Arc<dyn ContextPolicy>>,
    listeners: Vec<Box<Listen>>,
    masks: Vec<String>,
    policy: ApprovalPolicy,
    approver: Option<Box<dyn Approver>>,
}

impl AgentBuilder {
    /// Sets the model.
    pub fn model(mut self, model: impl Model + 'static) -> Self {
        self.model = Some(Box::new(model));
        self
    }

    /// Adds tools. An agent that is given none has [every tool that is
    /// linked](Toolbox::registered); one that is given an empty list has none.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.get_or_insert_default().extend(tools);
        self
    }

    /// Gives the tools their `#[state]` of type `T`. To keep a hold of it, give an `Arc<T>`: the tools
    /// take it by reference or as an `Arc` all the same.
    pub fn state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        self.states.insert(state);
        self
    }

    /// Sets the standing instructions each run begins with.
    pub fn system(mut self, instructions: impl Into<String>) -> Self {
        self.system = Some(instructions.into());
        self
    }

    /// Sets how the model should answer.
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the limits of each run, all of them.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets [`Limits::max_steps`].
    pub fn max_steps(mut self, steps: u32) -> Self {
        self.limits.max_steps = steps;
        self
    }

    /// Sets how many tokens a request may take together with its reply, where it is not what the
    /// model [says of itself](crate::Model::context_window).
    pub fn context_window(mut self, tokens: u64) -> Self {
        self.context_window = Some(tokens);
        self
    }

    /// Sets what a request shows of a conversation that no longer fits the window; without one,
    /// [`KeepNewest`] decides.
    pub fn context_policy(mut self, policy: impl ContextPolicy + 'static) -> Self {
        self.context_policy = Some(Arc::new(policy));
        self
    }

    /// Sets which calls wait for approval, beside those of tools marked `needs_approval`.
    pub fn approval_policy(mut self, policy: ApprovalPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets who decides on calls that wait for approval; without one, all are denied.
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.approver = Some(Box::new(approver));
        self
    }

    /// Sets who decides on calls that wait for approval to be a closure. It should not wait: an
    /// [`Approver`] may.
    pub fn approve_with(
        self,
        decide: impl Fn(&ApprovalRequest<'_>) -> Approval + Send + Sync + 'static,
    ) -> Self {
        self.approver(decide)
    }

    /// Has `listen` told of every event of every run. It is called where the event happens and
    /// should return soon.
    pub fn on_event(mut self, listen: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.listeners.push(Box::new(listen));
        self
    }

    /// Masks what matches `pattern`, a regular expression, wherever arguments, results and errors are
    /// told of in events; see [`Masks`]. The model and the tools see it all the same.
    pub fn mask(mut self, pattern: impl Into<String>) -> Self {
        self.masks.push(pattern.into());
        self
    }

    /// Builds the agent.
    ///
    /// # Errors
    ///
    /// There is no model, two tools have one name, a tool needs state that is not given or
    /// cannot be said to the model, a limit is below its least value or needs prices that the
    /// model has not, or a mask is no pattern.
    pub fn build(self) -> Result<Agent, BuildError> {
        let model = self.model.ok_or(BuildError(Reason::NoModel))?;
        let toolbox = match self.tools {
            Some(tools) => Toolbox::new(tools)?,
            None => Toolbox::registered()?,
        };
        toolbox.check_states(&self.states)?;
        toolbox.check_dialect(model.dialect())?;
        self.limits.check()?;
        if self.limits.cost_budget.is_some() && model.prices().is_none() {
            return Err(BuildError(Reason::NoPrices(model.name().to_owned())));
        }
        let toolbox = Arc::new(toolbox);
        let window = self.context_window.or(model.context_window());
        let reply = self.settings.max_tokens.map_or(REPLY, u64::from);
        let policy = self.context_policy.unwrap_or_else(|| Arc::new(KeepNewest::default()));
        let window = Window::new(window, reply, policy, Arc::clone(&toolbox));
        let Limits { token_budget, cost_budget, daily_budget, .. } = &self.limits;
        let budgeted = token_budget.is_some() || cost_budget.is_some() || daily_budget.is_some();
        let masks = Masks::new(Arc::clone(&toolbox), self.masks)?;
        Ok(Agent(Arc::new(Parts {
            model,
            window: Arc::new(if budgeted { window.counted() } else { window }),
            toolbox,
            states: self.states,
            system: self.system,
            settings: self.settings,
            ledger: self.limits.daily_budget.as_ref().map(Ledger::new),
            limits: self.limits,
            listeners: Listeners::new(self.listeners),
            masks,
            policy: Arc::new(self.policy),
            approver: self.approver,
        })))
    }
}

impl fmt::Debug for AgentBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentBuilder")
            .field("tools", &self.tools)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Why an agent cannot be built. `Debug` shows the message too, for a `main` that returns it.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct BuildError(Reason);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Reason {
    #[error("the agent has no model; give it one with `.model(..)`")]
    NoModel,
    #[error(
        "the limit cost_budget needs prices, and the model `{0}` has none; give its profile `prices`, or leave the limit out"
    )]
    NoPrices(String),
    #[cfg(feature = "http")]
    #[error("{0}")]
    Model(String),
    #[error(transparent)]
    Toolbox(ToolboxError),
    #[error(transparent)]
    Limits(InvalidLimits),
    #[error(transparent)]
    Mask(InvalidMask),
}

impl BuildError {
    #[cfg(feature = "http")]
    pub(super) fn model(message: String) -> Self {
        Self(Reason::Model(message))
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<ToolboxError> for BuildError {
    fn from(error: ToolboxError) -> Self {
        Self(Reason::Toolbox(error))
    }
}

impl From<InvalidLimits> for BuildError {
    fn from(error: InvalidLimits) -> Self {
        Self(Reason::Limits(error))
    }
}

impl From<InvalidMask> for BuildError {
    fn from(error: InvalidMask) -> Self {
        Self(Reason::Mask(error))
    }
}
