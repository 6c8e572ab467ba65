//! What is typed, and which subcommand does it.

mod agent;
mod approval;
mod ask;
mod call;
mod chat;
mod conversation;
mod failure;
mod folder;
mod interrupt;
mod limits;
mod model;
mod models;
mod outcome;
mod output;
mod parameters;
mod pending;
mod records;
mod resume;
mod role;
mod screen;
mod server;
mod spinner;
mod status;
mod steps;
mod terminal;
mod tools;
mod usage;

use clap::{Parser, Subcommand};

use failure::Failure;
use status::Status;

const AFTER_HELP: &str = "\
Examples:
  docs-agent ask \"How do I stop a run early?\"
  docs-agent ask --docs handbook --transcript run.json \"Who approves travel?\"
  docs-agent chat
  docs-agent call grep_docs '{\"keyword\": \"timeout\"}'
  docs-agent tools
  docs-agent models

Exit status: 0 answered, 1 an error, 2 wrong usage, 3 stopped without an answer, 130 interrupted.";

/// Answers questions from a folder of documents, citing file and line
#[derive(Debug, Parser)]
#[command(name = "docs-agent", version, after_help = AFTER_HELP, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ask(ask::Ask),
    Chat(chat::Chat),
    Resume(resume::Resume),
    Call(call::Call),
    Tools(tools::Tools),
    Models(models::Models),
}

/// Does what the command line asks for. Wrong usage that the parser finds ends the process here.
pub(crate) async fn main() -> Status {
    let done = match Cli::parse().command {
        Command::Ask(ask) => ask.run().await,
        Command::Chat(chat) => chat.run().await,
        Command::Resume(resume) => resume.run().await,
        Command::Call(call) => call.run().await,
        Command::Tools(tools) => tools.run(),
        Command::Models(models) => models.run(),
    };
    done.unwrap_or_else(Failure::tell)
}
