//! `docs-agent ask`.

use std::path::PathBuf;
use std::sync::Arc;

use agent_docs_tools::INSTRUCTIONS;

use super::agent::AgentArgs;
use super::failure::Failure;
use super::pending::PendingFile;
use super::records::TranscriptFile;
use super::status::Status;
use super::{conversation, records};

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
    agent: AgentArgs,

    /// Go on from the transcript in this file, which an earlier --transcript wrote
    #[arg(long, value_name = "FILE.json")]
    r#continue: Option<PathBuf>,

    /// Keep the run in this file while a call waits for approval; without a terminal it stops there,
    /// and `docs-agent resume` goes on with it
    #[arg(long, value_name = "FILE.json", help_heading = "Permissions")]
    pending: Option<PathBuf>,

    /// Print one JSON object: answer, stop, steps, tool_calls, usage, and cost_usd where it is known
    #[arg(long)]
    json: bool,

    /// Write the messages of the run to this file, as a JSON list in Chat Completions form
    #[arg(long, value_name = "FILE.json")]
    transcript: Option<PathBuf>,
}

fn question(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() {
        return Err("the question is empty; write what you want to know");
    }
    Ok(text.to_owned())
}

impl Ask {
    pub(crate) async fn run(self) -> Result<Status, Failure> {
        records::all_differ(&[
            ("--transcript", self.transcript.as_deref()),
            ("--trace", self.agent.trace.as_deref()),
            ("--pending", self.pending.as_deref()),
        ])?;
        let earlier = self.r#continue.map(|path| conversation::read(path, INSTRUCTIONS));
        let earlier = earlier.transpose()?;
        let transcript = self.transcript.map(TranscriptFile::create).transpose()?;
        let pending = self.pending.map(PendingFile::create).transpose()?.map(Arc::new);
        let watched = self.agent.build(!self.json, pending)?;
        let run = match earlier {
            Some(transcript) => watched.agent.resume(transcript, self.question),
            None => watched.agent.start(self.question),
        };
        Ok(watched.conclude(run, self.json, transcript).await)
    }
}
