//! Agents: a model, a toolbox and limits, and the runs they drive.

mod approval;
mod as_tool;
mod builder;
mod direct;
mod drive;
#[cfg(feature = "http")]
mod env;
mod error;
mod run;
mod saved;
mod session;
mod shaped;
mod stream;

use std::sync::Arc;

pub use approval::{ApprovalRequest, Approver};
pub use builder::{AgentBuilder, BuildError};
pub use error::{FailedRun, NoAnswer, RunError};
pub use run::Run;
pub use saved::{NotPending, PendingCall, SavedRun};
pub use session::Session;
pub use shaped::{RunAsError, Shaped};
pub use stream::EventStream;

pub use crate::run::{Approval, ApprovalPolicy};

use crate::budget::Ledger;
use crate::call::{CallLimits, Job};
use crate::context::Window;
use crate::message::Arguments;
use crate::model::{Model, Settings};
use crate::run::{Limits, Machine};
use crate::tool::{StateMap, Tool, ToolContext};
use crate::toolbox::Toolbox;
use crate::trace::{Listeners, Masks};
use crate::transcript::Transcript;

/// A model, the tools it may use, and the limits of each run. Cheap to clone; runs of one agent may
/// go on side by side.
///
/// ```
/// use agent_core::{Agent, Reply, ScriptedModel, tool, tools};
/// use serde_json::json;
///
/// #[tool("Subtract b from a.", read_only)]
/// fn subtract(a: f64, b: f64) -> f64 { a - b }
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let model = ScriptedModel::new([
///     Reply::call("subtract", json!({"a": 5, "b": 3.2})),
///     Reply::text("1.8"),
/// ]);
/// let agent = Agent::builder().model(model).tools(tools![subtract]).build()?;
/// assert_eq!(agent.run("What is 5 - 3.2?").await?.answer()?, "1.8");
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Agent(Arc<Parts>);

struct Parts {
    model: Box<dyn Model>,
    toolbox: Arc<Toolbox>,
    states: StateMap,
    system: Option<String>,
    settings: Settings,
    limits: Limits,
    window: Arc<Window>,
    /// Where the tokens of the day are counted, if they are limited.
    ledger: Option<Ledger>,
    listeners: Listeners,
    masks: Masks,
    policy: Arc<ApprovalPolicy>,
    approver: Option<Box<dyn Approver>>,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts")
            .field("model", &self.model.name())
            .field("toolbox", &self.toolbox)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Agent {
    /// An agent in the making.
    pub fn builder() -> AgentBuilder {
        AgentBuilder::default()
    }

    /// Answers `question` in a run of its own: [`start`](Self::start) and [`Run::drive`] in one.
    ///
    /// A run that a limit stopped is no error; [`Run::answer`] tells.
    ///
    /// # Errors
    ///
    /// The model failed, or a tool failed fatally. The error hands back the run.
    pub async fn run(&self, question: impl Into<String>) -> Result<Run, FailedRun> {
        let mut run = self.start(question);
        match run.drive().await {
            Ok(_) => Ok(run),
            Err(error) => Err(FailedRun::new(run, error)),
        }
    }

    /// Answers `question` as [`run`](Self::run) does, and tells of each event as it happens.
    ///
    /// ```
    /// use agent_core::{Agent, Event, Reply, ScriptedModel};
    /// use futures_util::StreamExt;
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let agent = Agent::builder().model(ScriptedModel::new([Reply::text("Up.")])).tools([]).build()?;
    /// let mut events = agent.stream("Which way is north?");
    /// while let Some(event) = events.next().await {
    ///     if let Event::Text { text, .. } = event {
    ///         print!("{text}");
    ///     }
    /// }
    /// assert_eq!(events.outcome().await.transpose()?.map(|run| run.answer()), Some(Ok("Up.".into())));
    /// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn stream(
        &self,
        question: impl Into<String>,
    ) -> EventStream<'static, Result<Run, FailedRun>> {
        let mut run = self.start(question);
        let events = run.queue();
        let driving = async move {
            match run.drive().await {
                Ok(_) => Ok(run),
                Err(error) => Err(FailedRun::new(run, error)),
            }
        };
        EventStream::new(Box::pin(driving), events)
    }

    /// A run that will answer `question` once it is [driven](Run::drive).
    #[must_use]
    pub fn start(&self, question: impl Into<String>) -> Run {
        self.resume(self.new_transcript(), question)
    }

    /// A run that goes on from an earlier `transcript` with a further `question`.
    #[must_use]
    pub fn resume(&self, transcript: Transcript, question: impl Into<String>) -> Run {
        let mut run = Run::idle(self.clone(), self.machine(transcript));
        run.ask(question);
        run
    }

    /// The tools the agent may use.
    #[must_use]
    pub fn toolbox(&self) -> &Toolbox {
        &self.0.toolbox
    }

    /// What those who watch its runs are not shown.
    #[must_use]
    pub fn masks(&self) -> &Masks {
        &self.0.masks
    }

    /// The limits of each run.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &dyn Model {
        &*self.0.model
    }

    /// A machine with the agent's tools, limits and policy.
    fn machine(&self, transcript: Transcript) -> Machine {
        let Parts { toolbox, limits, policy, .. } = &*self.0;
        Machine::new(transcript, Arc::clone(toolbox), limits.clone())
            .with_approval_policy(Arc::clone(policy))
            .with_prices(self.0.model.prices())
    }

    /// A transcript with the standing instructions.
    fn new_transcript(&self) -> Transcript {
        let mut transcript = Transcript::new();
        if let Some(system) = &self.0.system {
            transcript.push_system(system);
        }
        transcript
    }
}

impl Parts {
    fn job(&self, tool: Tool, arguments: Arguments, context: ToolContext) -> Job {
        let limits = CallLimits {
            timeout: self.limits.tool_timeout,
            max_chars: self.limits.max_result_chars,
        };
        Job::new(tool, arguments, self.states.clone(), context, limits)
    }
}
