//! The model that answers.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use agent_core::agent::AgentBuilder;
use agent_core::profile::{Choice, Profile};
use agent_core::{Model, ModelError, Reply, ScriptedModel, chat};
use agent_docs_tools::OfflinePlanner;

use super::failure::{Failure, with_causes};
use super::server::Server;

const OFFLINE: &str = "offline";

/// Which model.
#[derive(Debug, clap::Args)]
pub(crate) struct ModelArgs {
    /// The model that answers: a preset that `docs-agent models` lists, with the name of a model
    /// after a colon or without; or offline, which works by rules, without a language model
    /// [default: what the environment names, else offline]
    #[arg(long, value_name = "PRESET[:NAME]")]
    model: Option<String>,

    /// Where the model's server is, such as http://127.0.0.1:8080/v1
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// Take the preset from this TOML file
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,

    /// Ask for each reply whole, for servers that cannot stream
    #[arg(long)]
    no_stream: bool,

    /// Take the model's replies from this file instead: a JSON list of assistant messages in Chat
    /// Completions form; the tools they call are run
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "base_url", "profile", "no_stream"])]
    script: Option<PathBuf>,
}

/// A model that was chosen. Displays which, and where documents go with it.
pub(crate) enum ChosenModel {
    Offline,
    Script { path: PathBuf, replies: Vec<Reply> },
    Served { server: Server, model: Box<dyn Model> },
}

impl ModelArgs {
    pub(crate) fn choose(self) -> Result<ChosenModel, Failure> {
        if let Some(path) = self.script {
            return Ok(ChosenModel::Script { replies: read_script(&path)?, path });
        }
        match self.choice()? {
            Some(choice) => {
                let named = self.model.is_some() || self.profile.is_some();
                ChosenModel::served(choice.with_stream(!self.no_stream), named)
            }
            None => Ok(ChosenModel::Offline),
        }
    }

    /// The server to ask; none for the model that works offline.
    fn choice(&self) -> Result<Option<Choice>, Failure> {
        let own = self.profile.as_deref().map(read_profile).transpose()?;
        let url = self.base_url.as_deref();
        let choice = match (self.model.as_deref(), own, url) {
            (Some(OFFLINE), None, None) => return Ok(None),
            (Some(OFFLINE), ..) => {
                return Err(Failure::Usage(
                    "the model offline asks no server; leave out --base-url and --profile".into(),
                ));
            }
            (Some(name), own, _) => named(name, own)?,
            (None, Some(own), _) => Choice::of_profile(own),
            (None, None, Some(url)) => Choice::at(url),
            (None, None, None) => return Ok(Choice::from_env()),
        };
        Ok(Some(match url {
            Some(url) => choice.with_base_url(url),
            None => choice,
        }))
    }
}

/// The user's own profile if `name` names it, or else a preset.
fn named(name: &str, own: Option<Profile>) -> Result<Choice, Failure> {
    let (preset, model) = name.split_once(':').map_or((name, None), |(p, m)| (p, Some(m)));
    match own {
        Some(mut own) if own.name == preset => {
            if let Some(model) = model {
                own.model = Some(model.to_owned());
                own.model_var = None;
            }
            Ok(Choice::of_profile(own))
        }
        Some(own) => Err(Failure::Usage(format!(
            "the file of --profile holds `{}`, not `{preset}`; write --model {0} or leave it out",
            own.name
        ))),
        None => {
            Choice::named(name).map_err(|error| Failure::Usage(format!("{error}, or {OFFLINE}")))
        }
    }
}

/// Reads a profile that the user wrote.
pub(crate) fn read_profile(path: &Path) -> Result<Profile, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|source| Failure::Read { path: path.to_owned(), source })?;
    Profile::from_toml(&text).map_err(|source| Failure::Profile { path: path.to_owned(), source })
}

fn read_script(path: &Path) -> Result<Vec<Reply>, Failure> {
    let json = fs::read_to_string(path)
        .map_err(|source| Failure::ReadScript { path: path.to_owned(), source })?;
    chat::replies(&json).map_err(|source| Failure::Script { path: path.to_owned(), source })
}

impl ChosenModel {
    fn served(choice: Choice, named: bool) -> Result<Self, Failure> {
        let server = Server::of(&choice, named);
        if choice.model_name().is_none() {
            return Err(Failure::Usage(server.needs_a_model()));
        }
        match choice.into_model() {
            Ok(model) => Ok(Self::Served { server, model }),
            Err(error) => Err(Failure::Usage(with_causes(&error))),
        }
    }

    pub(crate) fn give_to(self, agent: AgentBuilder) -> AgentBuilder {
        match self {
            Self::Offline => agent.model(OfflinePlanner::new()),
            Self::Script { replies, .. } => agent.model(ScriptedModel::new(replies)),
            Self::Served { model, .. } => agent.model(model),
        }
    }

    pub(crate) fn advice(&self) -> Advice {
        Advice(match self {
            Self::Served { server, .. } => Some(server.clone()),
            _ => None,
        })
    }
}

/// What is known of a model that may help against its errors.
#[derive(Debug)]
pub(crate) struct Advice(Option<Server>);

impl Advice {
    /// What may help against `error`, if more is known than it says.
    pub(crate) fn against(&self, error: &ModelError) -> Option<String> {
        self.0.as_ref()?.advice(error)
    }
}

impl fmt::Display for ChosenModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offline => f.write_str("offline (rules, no language model; nothing is sent)"),
            Self::Script { path, .. } => write!(f, "script ({})", path.display()),
            Self::Served { server, .. } => fmt::Display::fmt(server, f),
        }
    }
}
