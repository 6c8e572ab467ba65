//! The model that answers.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use agent_core::agent::AgentBuilder;
use agent_core::{Reply, ScriptedModel, chat};
use agent_docs_tools::OfflinePlanner;
use clap::ValueEnum;

use super::failure::Failure;

/// Which model.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// The model that answers; offline works by rules, without a language model
    #[arg(long, default_value = "offline")]
    model: ModelName,

    /// Take the model's replies from this file instead: a JSON list of assistant messages in Chat
    /// Completions form; the tools they call are run
    #[arg(long, value_name = "FILE", conflicts_with = "model")]
    script: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ModelName {
    Offline,
}

/// A model that was chosen. Displays which.
#[derive(Debug)]
pub(crate) enum ChosenModel {
    Offline,
    Script { path: PathBuf, replies: Vec<Reply> },
}

impl ModelArgs {
    pub(crate) fn choose(self) -> Result<ChosenModel, Failure> {
        match (self.script, self.model) {
            (Some(path), _) => Ok(ChosenModel::Script { replies: read_script(&path)?, path }),
            (None, ModelName::Offline) => Ok(ChosenModel::Offline),
        }
    }
}

fn read_script(path: &Path) -> Result<Vec<Reply>, Failure> {
    let json = fs::read_to_string(path)
        .map_err(|source| Failure::ReadScript { path: path.to_owned(), source })?;
    chat::replies(&json).map_err(|source| Failure::Script { path: path.to_owned(), source })
}

impl ChosenModel {
    pub(crate) fn give_to(self, agent: AgentBuilder) -> AgentBuilder {
        match self {
            Self::Offline => agent.model(OfflinePlanner::new()),
            Self::Script { replies, .. } => agent.model(ScriptedModel::new(replies)),
        }
    }
}

impl fmt::Display for ChosenModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offline => f.write_str("offline (rules, no language model; nothing is sent)"),
            Self::Script { path, .. } => write!(f, "script ({})", path.display()),
        }
    }
}
