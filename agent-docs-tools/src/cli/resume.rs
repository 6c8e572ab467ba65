//! `docs-agent resume`.

use std::path::PathBuf;
use std::sync::Arc;

use agent_core::Run;
use agent_core::agent::Approval;

use super::agent::{AgentArgs, Watched};
use super::approval::shown;
use super::failure::Failure;
use super::pending::PendingFile;
use super::records::TranscriptFile;
use super::status::Status;
use super::{output, records, terminal};

const AFTER_HELP: &str = "\
Examples:
  docs-agent ask --pending run.json --ask-before read_doc \"What is a step?\"
  docs-agent resume run.json
  docs-agent resume run.json --allow
  docs-agent resume run.json --deny \"read another document\"

The folder, the model, the limits and the role are not in the file: give the options that `ask`
had. The file is removed as soon as there is a decision, so that no call is run twice; calls that
wait later are kept in it again.

Exit status: 0 answered, 1 an error, 2 wrong usage, 3 stopped without an answer, 130 interrupted.";

/// Decide on the calls of a run that waits for approval, and go on with it
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Resume {
    /// The file in which `ask --pending` left the run
    #[arg(value_name = "FILE.json")]
    file: PathBuf,

    /// Allow the calls that wait; without this and --deny you are asked on the terminal
    #[arg(long, conflicts_with = "deny")]
    allow: bool,

    /// Deny the calls that wait, for this reason, which the model reads
    #[arg(long, value_name = "REASON")]
    deny: Option<String>,

    #[command(flatten)]
    agent: AgentArgs,

    /// Print one JSON object: answer, stop, steps, tool_calls, usage, and cost_usd where it is known
    #[arg(long)]
    json: bool,

    /// Write the messages of the run to this file, as a JSON list in Chat Completions form
    #[arg(long, value_name = "FILE.json")]
    transcript: Option<PathBuf>,
}

impl Resume {
    pub(crate) async fn run(self) -> Result<Status, Failure> {
        let decision = match self.deny {
            Some(reason) => Some(Approval::deny(reason)),
            None => self.allow.then_some(Approval::Allow),
        };
        if decision.is_none() && !terminal::is_there() {
            return Err(Failure::Usage(
                "there is no terminal to ask on; decide with --allow or --deny REASON".into(),
            ));
        }
        records::all_differ(&[
            ("the file of the run", Some(&self.file)),
            ("--transcript", self.transcript.as_deref()),
            ("--trace", self.agent.trace.as_deref()),
        ])?;
        let (file, saved) = PendingFile::open(self.file.clone())?;
        let transcript = self.transcript.map(TranscriptFile::create).transpose()?;
        let file = Arc::new(file);
        let watched = self.agent.build(!self.json, Some(Arc::clone(&file)))?;
        output::say(format_args!("question: {}", saved.question()));
        let mut run = watched
            .agent
            .restore(saved)
            .map_err(|source| Failure::Restore { path: self.file, source })?;
        if let Some(decision) = decision {
            decide(&watched, &mut run, &decision)?;
            file.release()?;
        }
        Ok(watched.conclude(run, self.json, transcript).await)
    }
}

/// Decides alike on all calls that wait, and shows them.
fn decide(watched: &Watched, run: &mut Run, decision: &Approval) -> Result<(), Failure> {
    for pending in run.pending() {
        output::say(shown(&watched.agent.masks().call(&pending.call)));
        run.decide(&pending, decision.clone())?;
    }
    Ok(())
}
