//! `docs-agent ask`.

use std::path::PathBuf;
use std::sync::Arc;

use agent_core::agent::AgentBuilder;
use agent_core::{Agent, Limits, Run, RunError, StopReason};
use agent_docs_tools::INSTRUCTIONS;

use super::conversation;
use super::failure::Failure;
use super::folder::FolderArgs;
use super::model::ModelArgs;
use super::outcome::{Outcome, stopped};
use super::output;
use super::records::{TraceFile, TranscriptFile, is_same};
use super::screen::Screen;
use super::status::Status;

const AFTER_HELP: &str = "\
Examples:
  docs-agent ask \"How do I stop a run early?\"
  docs-agent ask --docs handbook --glob '*.txt' \"Who approves travel?\"
  docs-agent ask --model ollama:qwen3 --transcript run.json \"What is a step?\"
  docs-agent ask --model ollama:qwen3 --continue run.json \"And what is a run?\"

The answer goes to standard output; which model is used, where documents are sent and each step go
to standard error:
  [step 2] read_doc({\"path\":\"index.md\"}) -> 1: # Welcome … (0.4 ms)

Exit status: 0 answered, 1 an error, 2 wrong usage, 3 stopped without an answer, 130 interrupted.";

/// Answer a question from the documents, citing file and line
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Ask {
    /// What you want to know
    #[arg(value_parser = question)]
    question: String,

    #[command(flatten)]
    folder: FolderArgs,

    #[command(flatten)]
    model: ModelArgs,

    /// Go on from the transcript in this file, which an earlier --transcript wrote
    #[arg(long, value_name = "FILE.json")]
    r#continue: Option<PathBuf>,

    /// Stop after so many steps; a step is one reply of the model and the tool calls in it
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_steps, value_parser = max_steps)]
    max_steps: u32,

    /// Print one JSON object: answer, stop, steps, tool_calls, usage
    #[arg(long)]
    json: bool,

    /// Write the messages of the run to this file, as a JSON list in Chat Completions form
    #[arg(long, value_name = "FILE.json")]
    transcript: Option<PathBuf>,

    /// Write each event of the run to this file as it happens, one line of JSON each
    #[arg(long, value_name = "FILE.jsonl")]
    trace: Option<PathBuf>,
}

fn question(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() {
        return Err("the question is empty; write what you want to know");
    }
    Ok(text.to_owned())
}

fn max_steps(text: &str) -> Result<u32, &'static str> {
    match text.parse() {
        Ok(steps @ 1..) => Ok(steps),
        _ => Err("give a whole number of steps, 1 or more"),
    }
}

impl Ask {
    pub(crate) async fn run(self) -> Result<Status, Failure> {
        self.check_records()?;
        let docs = self.folder.open()?;
        let model = self.model.choose()?;
        let earlier = self.r#continue.map(|path| conversation::read(path, INSTRUCTIONS));
        let earlier = earlier.transpose()?;
        let transcript = self.transcript.map(TranscriptFile::create).transpose()?;
        let trace = self.trace.map(TraceFile::create).transpose()?.map(Arc::new);
        let screen = Arc::new(Screen::new(!self.json));
        let advice = model.advice();

        output::say(format_args!("model: {model}"));
        let agent = Agent::builder()
            .tools(agent_docs_tools::tools())
            .state(docs)
            .system(INSTRUCTIONS)
            .max_steps(self.max_steps);
        let agent = watched(model.give_to(agent), screen.clone(), trace.clone()).build()?;
        let mut run = match earlier {
            Some(transcript) => agent.resume(transcript, self.question),
            None => agent.start(self.question),
        };
        let outcome = drive(&mut run, screen.clone()).await;

        let printed = print_outcome(&run, self.json, &screen);
        let recorded = transcript.map_or(Ok(()), |file| file.write(run.transcript()));
        let traced = trace.map_or(Ok(()), |trace| trace.finish());
        let mut status = match outcome {
            Ok(stop) => stop.into(),
            Err(error) => Failure::of_run(error, advice).tell(),
        };
        if matches!(status, Status::NoAnswer | Status::Interrupted) {
            output::say(stopped(&run));
        }
        for failure in [printed, recorded, traced].into_iter().filter_map(Result::err) {
            status = failure.tell();
        }
        Ok(status)
    }

    fn check_records(&self) -> Result<(), Failure> {
        match (&self.transcript, &self.trace) {
            (Some(transcript), Some(trace)) if is_same(transcript, trace) => Err(Failure::Usage(
                "--transcript and --trace name one file; give each its own".into(),
            )),
            _ => Ok(()),
        }
    }
}

/// Has the run shown as it goes on, and each event written to the trace.
fn watched(
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

/// Drives the run; Ctrl-C cancels it, and what it has come to by then is kept.
async fn drive(run: &mut Run, screen: Arc<Screen>) -> Result<StopReason, RunError> {
    let cancel = run.cancel_token();
    let on_interrupt = tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            screen.say("interrupted: the run is cancelled");
            cancel.cancel();
        }
    });
    let outcome = run.drive().await;
    on_interrupt.abort();
    outcome
}

fn print_outcome(run: &Run, json: bool, screen: &Screen) -> Result<(), Failure> {
    let outcome = Outcome::of(run);
    match &outcome.answer {
        _ if json => output::print_json(serde_json::to_string(&outcome)),
        Some(answer) if !screen.has_answer() => output::print(answer),
        _ => Ok(()),
    }
}
