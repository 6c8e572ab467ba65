//! The server that a model is behind: which it is, and what may help where it does not answer.

use std::fmt;

use agent_core::ModelError;
use agent_core::model::ModelErrorKind;
use agent_core::profile::Choice;

/// The server that a model is behind. Displays the model, and where documents go with it.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    model: Option<String>,
    profile: String,
    address: String,
    has_key: bool,
    key_vars: Vec<String>,
    model_var: Option<String>,
}

impl Server {
    /// The server of a choice, which was `named` by the user or else found.
    pub(crate) fn of(choice: &Choice, named: bool) -> Self {
        let profile = choice.profile();
        let general = Some("LLM_API_KEY".to_owned()).filter(|_| !named);
        Self {
            model: choice.model_name().map(str::to_owned),
            profile: profile.name.clone(),
            address: choice.server(),
            has_key: choice.has_key(),
            key_vars: general.into_iter().chain(profile.key_vars.iter().cloned()).collect(),
            model_var: profile.model_var.clone(),
        }
    }

    /// What to say where no model is named.
    pub(crate) fn needs_a_model(&self) -> String {
        let Self { profile, model_var, .. } = self;
        let var = model_var.as_ref().map(|var| format!(", or set {var}")).unwrap_or_default();
        format!("`{profile}` has no model of its own; name one, --model {profile}:NAME{var}")
    }

    /// What may help against `error`, where more is known than it says.
    pub(crate) fn advice(&self, error: &ModelError) -> Option<String> {
        match (error.kind(), error.status()) {
            (ModelErrorKind::Connect, _) if self.is_local() => Some(self.start()),
            (_, Some(401 | 403)) => Some(self.key()),
            _ => None,
        }
    }

    fn key(&self) -> String {
        let vars = self.key_vars.join(" or ");
        match self.has_key {
            true => format!("the key that was sent is that in {vars}"),
            false if vars.is_empty() => {
                "no key was sent; name the variable that holds it in `key_vars` of the profile"
                    .into()
            }
            false => format!("no key was sent; set {vars}"),
        }
    }

    fn start(&self) -> String {
        let command = match self.profile.as_str() {
            "ollama" => "`ollama serve`",
            "llamacpp" => "`llama-server --jinja -m MODEL.gguf`",
            "vllm" => "`vllm serve MODEL --enable-auto-tool-choice --tool-call-parser PARSER`",
            _ => "`ollama serve` or `llama-server --jinja -m MODEL.gguf`, for example",
        };
        format!("is the server running? start it with {command}")
    }

    /// Whether the server is on this machine.
    fn is_local(&self) -> bool {
        let host = self.address.split_once("://").map_or("", |(_, rest)| rest);
        ["localhost", "127.", "0.0.0.0", "[::1]"].iter().any(|local| host.starts_with(local))
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, profile, address, .. } = self;
        let model = model.as_deref().unwrap_or("no model");
        write!(f, "{model} ({profile}; documents are sent to {address})")
    }
}
