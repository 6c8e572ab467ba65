//! `docs-agent chat`.

mod command;
mod editor;
mod history;
mod input;

use std::ops::ControlFlow;
use std::path::PathBuf;

use agent_core::{Session, Transcript};
use agent_docs_tools::INSTRUCTIONS;

use self::command::Command;
use self::input::{Input, Typed};
use super::agent::{AgentArgs, Watched};
use super::failure::Failure;
use super::records::TranscriptFile;
use super::status::Status;
use super::{conversation, output, records, tools, usage};

const AFTER_HELP: &str = "\
Examples:
  docs-agent chat
  docs-agent chat --model ollama:qwen3 --transcript talk.json
  docs-agent chat --continue talk.json --transcript talk.json

Type a question, or /help for the commands. Ctrl-C stops an answer and keeps the conversation;
Ctrl-D leaves. Without a terminal each line of standard input is a question, and no prompt is shown.

What is typed is kept in docs-agent/history in $XDG_STATE_HOME, which is ~/.local/state if it is not
set (on Windows, in %LOCALAPPDATA%).

Exit status: 0 the conversation is over, 1 an error, 2 wrong usage, 130 interrupted; without a
terminal, that of the last question, as `ask` has it.";

/// Ask one question after the other, in one conversation
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Chat {
    #[command(flatten)]
    agent: AgentArgs,

    /// Go on from the transcript in this file, which an earlier --transcript or /save wrote
    #[arg(long, value_name = "FILE.json")]
    r#continue: Option<PathBuf>,

    /// Write the conversation to this file after each answer, as a JSON list in Chat Completions
    /// form
    #[arg(long, value_name = "FILE.json")]
    transcript: Option<PathBuf>,

    /// Neither read nor keep what was typed in other conversations
    #[arg(long)]
    no_history: bool,
}

impl Chat {
    pub(crate) async fn run(self) -> Result<Status, Failure> {
        records::all_differ(&[
            ("--transcript", self.transcript.as_deref()),
            ("--trace", self.agent.trace.as_deref()),
        ])?;
        let earlier = self.r#continue.map(|path| conversation::read(path, INSTRUCTIONS));
        let earlier = earlier.transpose()?;
        if let Some(path) = &self.transcript {
            // A path that cannot be written should not cost the first answer.
            TranscriptFile::create(path.clone())?;
        }
        let watched = self.agent.build(true, None)?;
        let input = Input::open(!self.no_history)?;
        let status = Conversation::new(watched, earlier, self.transcript).hold(input).await?;
        Ok(status)
    }
}

/// A conversation that goes on.
struct Conversation {
    watched: Watched,
    session: Session,
    transcript: Option<PathBuf>,
    /// Where `/save` wrote last.
    saved: Option<PathBuf>,
    /// How the last question ended.
    status: Status,
}

impl Conversation {
    fn new(watched: Watched, earlier: Option<Transcript>, transcript: Option<PathBuf>) -> Self {
        let session = match earlier {
            Some(earlier) => watched.agent.resume_session(earlier),
            None => watched.agent.session(),
        };
        Self { watched, session, transcript, saved: None, status: Status::Done }
    }

    /// Takes what is typed until there is no more of it.
    async fn hold(mut self, mut input: Input) -> Result<Status, Failure> {
        let edits = input.edits();
        if edits {
            output::say("ask about the documents; /help lists the commands, Ctrl-D leaves");
        }
        loop {
            match input.next().await? {
                Typed::Line(line) if self.take(&line).await.is_break() => break,
                // Whoever interrupts the reading of a pipe wants no more of it.
                Typed::Line(_) if self.status == Status::Interrupted && !edits => break,
                Typed::Line(_) => {}
                Typed::Interrupt => {
                    self.status = Status::Interrupted;
                    break;
                }
                Typed::End => break,
            }
        }
        self.watched.finish_trace()?;
        Ok(if edits { Status::Done } else { self.status })
    }

    /// Does what a line says.
    async fn take(&mut self, line: &str) -> ControlFlow<()> {
        if line.trim().is_empty() {
            return ControlFlow::Continue(());
        }
        let done = match Command::parse(line) {
            None => {
                self.status = self.ask(line.trim()).await;
                Ok(())
            }
            Some(Ok(Command::Quit)) => return ControlFlow::Break(()),
            Some(Ok(Command::Help)) => output::print(command::HELP),
            Some(Ok(Command::Tools)) => {
                output::print(&tools::described(self.watched.agent.toolbox()))
            }
            Some(Ok(Command::Usage)) => output::print(&usage::told(
                &self.session.counts(),
                self.watched.agent.model().prices(),
            )),
            Some(Ok(Command::Save(path))) => self.save(path),
            Some(Err(unknown)) => Err(Failure::Usage(unknown)),
        };
        if let Err(failure) = done {
            self.status = failure.tell();
        }
        ControlFlow::Continue(())
    }

    async fn ask(&mut self, question: &str) -> Status {
        let status = self.watched.answer(self.session.start(question), false).await;
        match &self.transcript {
            Some(path) => self.write(path.clone()).map_or_else(Failure::tell, |()| status),
            None => status,
        }
    }

    fn save(&mut self, path: Option<PathBuf>) -> Result<(), Failure> {
        let path = path.or_else(|| self.saved.clone()).ok_or_else(|| {
            Failure::Usage("there is no file yet to save to; name one, /save FILE.json".into())
        })?;
        self.write(path.clone())?;
        output::say(format_args!("saved to {}", path.display()));
        self.saved = Some(path);
        Ok(())
    }

    fn write(&self, path: PathBuf) -> Result<(), Failure> {
        TranscriptFile::create(path)?.write(self.session.transcript())
    }
}
