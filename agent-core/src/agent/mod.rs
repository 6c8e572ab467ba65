//! Agents: a model, a toolbox and limits, and the runs they drive.

mod approval;
mod builder;
mod drive;
#[cfg(feature = "http")]
mod env;
mod error;
mod run;
mod stream;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub use approval::{Approval, Approver};
pub use builder::{AgentBuilder, BuildError};
pub use error::{FailedRun, NoAnswer, RunError};
pub use run::Run;
pub use stream::EventStream;

use crate::call::report::{self, Report};
use crate::call::{Answer, CallLimits, Job, read_arguments};
use crate::message::{Arguments, ToolCall, ToolResult};
use crate::model::{Model, Settings};
use crate::run::Limits;
use crate::tool::{StateMap, Tool, ToolContext};
use crate::toolbox::Toolbox;
use crate::trace::Listeners;
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
    listeners: Listeners,
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
        let mut transcript = Transcript::new();
        if let Some(system) = &self.0.system {
            transcript.push_system(system);
        }
        self.resume(transcript, question)
    }

    /// A run that goes on from an earlier `transcript` with a further `question`.
    #[must_use]
    pub fn resume(&self, transcript: Transcript, question: impl Into<String>) -> Run {
        Run::new(self.clone(), transcript, question.into())
    }

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

    /// The tools the agent may use.
    #[must_use]
    pub fn toolbox(&self) -> &Toolbox {
        &self.0.toolbox
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

    async fn answer(&self, name: &str, arguments: Value) -> Result<Answer, Report> {
        let toolbox = self.toolbox();
        let unknown = || report::unknown_tool(name, &toolbox.nearest(name));
        let tool = toolbox.get(name).ok_or_else(unknown)?;
        let arguments = read_arguments(arguments).map_err(|(_, report)| report)?.into();
        let call = ToolCall { id: DIRECT.to_owned(), name: name.to_owned(), arguments };
        let context = ToolContext {
            run_id: DIRECT.into(),
            step: 1,
            call_id: DIRECT.into(),
            deadline: None,
            cancelled: CancellationToken::new(),
        };
        let job = self.0.job(tool.clone(), call.arguments.clone(), context);
        Ok(self.0.answer(tool, &call, &job).await)
    }
}

/// Stands for the ids of a call that no run makes.
const DIRECT: &str = "direct";

impl Parts {
    fn job(&self, tool: Tool, arguments: Arguments, context: ToolContext) -> Job {
        let limits = CallLimits {
            timeout: self.limits.tool_timeout,
            max_chars: self.limits.max_result_chars,
        };
        Job::new(tool, arguments, self.states.clone(), context, limits)
    }

    /// Runs a job, if it is allowed.
    async fn answer(&self, tool: &Tool, call: &ToolCall, job: &Job) -> Answer {
        if tool.annotations().needs_approval {
            let approval = match &self.approver {
                Some(approver) => {
                    let asked = AssertUnwindSafe(async { approver.approve(call).await });
                    let failed = |_| Approval::deny("the one who decides has failed");
                    asked.catch_unwind().await.unwrap_or_else(failed)
                }
                None => Approval::deny("it needs approval, and no one is there to give it"),
            };
            if let Approval::Deny { reason } = approval {
                return report::denied(&reason).into();
            }
        }
        job.run().await
    }
}
