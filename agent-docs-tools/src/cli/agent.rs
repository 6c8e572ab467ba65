//! The agent that the command line describes, and the driving of its runs.

use std::path::PathBuf;
use std::sync::Arc;

use agent_core::agent::AgentBuilder;
use agent_core::{Agent, Run, RunError, StopReason};
use agent_docs_tools::INSTRUCTIONS;

use super::approval::{ApprovalArgs, Person};
use super::failure::Failure;
use super::folder::FolderArgs;
use super::interrupt::Interrupt;
use super::limits::LimitArgs;
use super::model::{Advice, ModelArgs};
use super::outcome::{Outcome, stopped};
use super::output;
use super::pending::PendingFile;
use super::records::{TraceFile, TranscriptFile};
use super::role::RoleArgs;
use super::screen::Screen;
use super::status::Status;

/// What an agent is made of.
#[derive(Debug, clap::Args)]
pub(crate) struct AgentArgs {
    #[command(flatten)]
    folder: FolderArgs,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    role: RoleArgs,

    #[command(flatten)]
    approval: ApprovalArgs,

    /// Write each event to this file as it happens, one line of JSON each
    #[arg(long, value_name = "FILE.jsonl")]
    pub(crate) trace: Option<PathBuf>,
}

/// An agent whose runs are shown as they go on, and written to the trace.
pub(crate) struct Watched {
    pub(crate) agent: Agent,
    screen: Arc<Screen>,
    trace: Option<Arc<TraceFile>>,
    interrupt: Interrupt,
    advice: Advice,
    pending: Option<Arc<PendingFile>>,
}

impl AgentArgs {
    /// Builds the agent and says which model it has. Its text is shown as it comes, if `streams`; a
    /// run that waits for approval is kept in `pending`.
    pub(crate) fn build(
        self,
        streams: bool,
        pending: Option<Arc<PendingFile>>,
    ) -> Result<Watched, Failure> {
        let docs = self.folder.open()?;
        let toolbox = self.role.toolbox()?;
        let limits = self.limits.limits()?;
        let policy = self.approval.policy(&toolbox)?;
        let model = self.model.choose()?;
        let trace = self.trace.map(TraceFile::create).transpose()?.map(Arc::new);
        let (screen, interrupt) = (Arc::new(Screen::new(streams)), Interrupt::default());
        let person = Person::new(&toolbox, interrupt.clone(), pending.clone())?;
        let advice = model.advice();

        output::say(format_args!("model: {model}"));
        let agent = Agent::builder()
            .tools(toolbox)
            .state(docs)
            .system(INSTRUCTIONS)
            .limits(limits)
            .approval_policy(policy)
            .approver(person);
        let agent = listened(model.give_to(agent), Arc::clone(&screen), trace.clone()).build()?;
        Ok(Watched { agent, screen, trace, interrupt, advice, pending })
    }
}

fn listened(
    agent: AgentBuilder,
    screen: Arc<Screen>,
    trace: Option<Arc<TraceFile>>,
) -> AgentBuilder {
    let agent = agent.on_event(move |event| screen.show(event));
    match trace {
        Some(trace) => agent.on_event(move |event| trace.add(event)),
        None => agent,
    }
}

impl Watched {
    /// Answers in a run that is the only one, and leaves its records.
    pub(crate) async fn conclude(
        self,
        mut run: Run,
        json: bool,
        transcript: Option<TranscriptFile>,
    ) -> Status {
        let mut status = self.answer(&mut run, json).await;
        let recorded = transcript.map_or(Ok(()), |file| file.write(run.transcript()));
        for failure in [recorded, self.finish_trace()].into_iter().filter_map(Result::err) {
            status = failure.tell();
        }
        status
    }

    /// Drives a run to its stop, prints what it came to, and tells why it has no answer.
    pub(crate) async fn answer(&self, run: &mut Run, json: bool) -> Status {
        let outcome = self.drive(run).await;
        let printed = self.print(run, json);
        let status = match outcome {
            Ok(stop) => stop.into(),
            Err(error) => Failure::of_run(error, |error| self.advice.against(error)).tell(),
        };
        if matches!(status, Status::NoAnswer | Status::Interrupted) {
            output::say(stopped(run));
            if let Some(path) = self.pending.as_ref().and_then(|pending| pending.waiting()) {
                let path = path.display();
                output::say(format_args!(
                    "the run waits in {path}; decide with docs-agent resume {path}"
                ));
            }
        }
        printed.map_or_else(Failure::tell, |()| status)
    }

    /// Ctrl-C cancels the run, and what it has come to by then is kept.
    async fn drive(&self, run: &mut Run) -> Result<StopReason, RunError> {
        self.interrupt.forget();
        let (cancel, interrupt) = (run.cancel_token(), self.interrupt.clone());
        let screen = Arc::clone(&self.screen);
        let on_interrupt = tokio::spawn(async move {
            interrupt.wait().await;
            screen.say("interrupted: the run is cancelled");
            cancel.cancel();
        });
        let outcome = run.drive().await;
        on_interrupt.abort();
        outcome
    }

    fn print(&self, run: &Run, json: bool) -> Result<(), Failure> {
        let outcome = Outcome::of(run);
        match &outcome.answer {
            _ if json => output::print_json(serde_json::to_string(&outcome)),
            Some(answer) if !self.screen.has_answer() => output::print(answer),
            _ => Ok(()),
        }
    }

    /// Tells whether every event was written to the trace.
    pub(crate) fn finish_trace(&self) -> Result<(), Failure> {
        self.trace.as_ref().map_or(Ok(()), |trace| trace.finish())
    }
}
