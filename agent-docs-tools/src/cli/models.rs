//! `docs-agent models`.

use std::env;
use std::path::PathBuf;

use agent_core::profile::{Choice, Profile, Protocol};
use serde::Serialize;

use super::failure::Failure;
use super::model::read_profile;
use super::output;
use super::server::Server;
use super::status::Status;

const AFTER_HELP: &str = "\
Without --model, `ask` takes the server that LLM_BASE_URL, LLM_API_KEY and LLM_MODEL name. Where they
are not set, it takes the first model of the table whose key is set (or whose base URL is, where no
key is needed), else offline.";

/// Print the models that can be asked, and which of their keys are set
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Models {
    /// Add the profile in this TOML file
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,

    /// Print a JSON list instead: name, model, protocol, server, keys, ready
    #[arg(long)]
    json: bool,
}

impl Models {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        let own = self.profile.as_deref().map(read_profile).transpose()?;
        let profiles: Vec<Profile> = Profile::presets().iter().cloned().chain(own).collect();
        let rows: Vec<Row> = profiles.into_iter().map(Row::from).collect();
        if self.json {
            output::print_json(serde_json::to_string_pretty(&rows))?;
        } else {
            let taken = match Choice::from_env() {
                Some(choice) => Server::of(&choice, false).to_string(),
                None => "offline".to_owned(),
            };
            output::print(&format!("{}\n\nwithout --model: {taken}", table(&rows)))?;
        }
        Ok(Status::Done)
    }
}

/// A profile, with what the environment says of it.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    model: Option<String>,
    protocol: Protocol,
    server: String,
    keys: Vec<Key>,
    /// Whether it can be asked as it is: its key is set, or it needs none.
    ready: bool,
}

/// A variable that may hold a key.
#[derive(Debug, Serialize)]
struct Key {
    variable: String,
    set: bool,
}

impl From<Profile> for Row {
    fn from(profile: Profile) -> Self {
        let choice = Choice::of_profile(profile);
        let profile = choice.profile();
        let is_set = |name: &String| env::var(name).is_ok_and(|value| !value.trim().is_empty());
        let key = |name: &String| Key { variable: name.clone(), set: is_set(name) };
        Self {
            name: profile.name.clone(),
            model: choice.model_name().map(str::to_owned),
            protocol: profile.protocol,
            server: choice.server(),
            keys: profile.key_vars.iter().map(key).collect(),
            ready: profile.keyless || choice.has_key(),
        }
    }
}

impl Row {
    fn cells(&self) -> [String; 5] {
        let variables: Vec<&str> = self.keys.iter().map(|key| key.variable.as_str()).collect();
        let key = if self.keys.iter().any(|key| key.set) {
            "set"
        } else if self.ready {
            "not needed"
        } else {
            "not set"
        };
        let model = self.model.as_deref().unwrap_or("-");
        [&self.name, model, key, &variables.join(" or "), &self.server].map(str::to_owned)
    }
}

/// The rows in columns, each as wide as its widest cell.
fn table(rows: &[Row]) -> String {
    let head = ["PRESET", "MODEL", "KEY", "KEY IS IN", "SERVER"].map(str::to_owned);
    let lines: Vec<[String; 5]> =
        std::iter::once(head).chain(rows.iter().map(Row::cells)).collect();
    let widths: [usize; 5] = std::array::from_fn(|column| {
        let width = |cells: &[String; 5]| cells.get(column).map_or(0, |cell| cell.chars().count());
        lines.iter().map(width).max().unwrap_or_default()
    });
    let line = |cells: &[String; 5]| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}
