//! Profiles: what is particular about a provider, as data.

mod choice;
mod quirks;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use choice::Choice;
pub use quirks::{EchoReasoning, IdRule, Protocol, StructuredOutput, TokenField};

use crate::cost::Prices;
use crate::http;
use crate::schema::Dialect;
use crate::toml_text::{self, Misfit};
use quirks::DialectName;

/// What is particular about a provider, or about a server of one's own.
///
/// Profiles are data: the [presets](Profile::presets) are read from `presets.toml`, and a profile of
/// one's own is written the same way. What is left out is as most servers have it.
///
/// ```
/// use agent_core::profile::Profile;
///
/// let profile = Profile::from_toml(
///     r#"
///     name = "desk"
///     base_url = "http://desk.example:8000/v1"
///     model = "qwen3-32b"
///     key_vars = ["DESK_KEY"]
///     extra = { top_k = 20 }
///     "#,
/// )?;
/// assert_eq!(profile.model.as_deref(), Some("qwen3-32b"));
/// assert!(Profile::preset("deepseek").is_some_and(|preset| preset.key_vars == ["DEEPSEEK_API_KEY"]));
/// # Ok::<_, agent_core::profile::InvalidProfile>(())
/// ```
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Profile {
    /// The name it is chosen by.
    pub name: String,
    /// The protocol it speaks.
    pub protocol: Protocol,
    /// Where it is.
    pub base_url: String,
    /// The environment variables that may hold its key, the first that is set counts.
    pub key_vars: Vec<String>,
    /// The environment variable that may name another base URL.
    pub url_var: Option<String>,
    /// The environment variable that may name a model.
    pub model_var: Option<String>,
    /// The model that is asked where none is named.
    pub model: Option<String>,
    /// How many tokens a request and its reply may have together: of `model`, or, where that is not
    /// set, of whichever is asked.
    #[serde(deserialize_with = "quirks::window")]
    pub context_window: Option<u64>,
    /// What `model` costs, or, where that is not set, whichever is asked.
    pub prices: Option<Prices>,
    /// Whether it answers without a key.
    pub keyless: bool,
    /// How the schemas of tools are sent. `strict` goes with tools in the strict dialect alone.
    #[serde(with = "DialectName")]
    pub dialect: Dialect,
    /// Where replies are held to a JSON Schema, sent as `response_format`.
    pub structured_output: StructuredOutput,
    /// What the limit of a reply's tokens is called.
    pub token_field: TokenField,
    /// The beginnings of the names of models that refuse a temperature.
    pub no_temperature: Vec<String>,
    /// Whether `parallel_tool_calls` is sent where there are tools.
    pub parallel_tool_calls: bool,
    /// Whether a stream is asked to count tokens.
    pub stream_usage: bool,
    /// Which reasoning goes back.
    pub echo_reasoning: EchoReasoning,
    /// What ids of calls it takes; others are sent as ids that it takes.
    pub ids: IdRule,
    /// Whether instructions are allowed at the beginning alone; later ones are sent as the user's.
    pub system_first: bool,
    /// Whether a question may follow tool results; if not, a word of the assistant is put between.
    pub user_after_tool: bool,
    /// Fields added to each request.
    pub extra: Map<String, Value>,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            name: "custom".to_owned(),
            protocol: Protocol::default(),
            base_url: String::new(),
            key_vars: Vec::new(),
            url_var: None,
            model_var: None,
            model: None,
            context_window: None,
            prices: None,
            keyless: false,
            dialect: Dialect::default(),
            structured_output: StructuredOutput::default(),
            token_field: TokenField::default(),
            no_temperature: Vec::new(),
            parallel_tool_calls: false,
            stream_usage: true,
            echo_reasoning: EchoReasoning::default(),
            ids: IdRule::default(),
            system_first: false,
            user_after_tool: true,
            extra: Map::new(),
        }
    }
}

/// Shows the server without what may be secret in its address, and of further fields the names.
impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profile")
            .field("name", &self.name)
            .field("protocol", &self.protocol)
            .field("server", &http::server(&self.base_url))
            .field("model", &self.model)
            .field("extra", &self.extra.keys().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// A text is no profile. What stood in the text is not shown: people write keys where none belong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a profile: {0}")]
pub struct InvalidProfile(Misfit);

impl Profile {
    /// Reads a profile from TOML.
    ///
    /// # Errors
    ///
    /// The text is not TOML, has a field that profiles do not have, or a value that does not fit.
    pub fn from_toml(text: &str) -> Result<Self, InvalidProfile> {
        toml_text::read(text).map_err(InvalidProfile)
    }

    /// The presets, in the order in which the environment is searched for their keys.
    #[must_use]
    pub fn presets() -> &'static [Self] {
        &PRESETS
    }

    /// The preset of this name.
    #[must_use]
    pub fn preset(name: &str) -> Option<&'static Self> {
        Self::presets().iter().find(|profile| profile.name == name)
    }

    /// The preset for the server at `base_url`, or a plain profile for a server that none is for.
    #[must_use]
    pub fn for_url(base_url: &str) -> Self {
        let origin = http::origin(base_url);
        let is_there = |preset: &Self| origin.is_some() && http::origin(&preset.base_url) == origin;
        let known = |preset: &&Self| !preset.keyless && is_there(preset);
        let profile = Self::presets().iter().find(known).cloned().unwrap_or_else(|| Self {
            model: Some("default".to_owned()),
            keyless: true,
            ..Self::default()
        });
        Self { base_url: base_url.to_owned(), ..profile }
    }

    /// Forgets what it says of its own model alone, unless that is the one that is asked.
    pub(crate) fn asked_for(mut self, model: &str) -> Self {
        if self.model.as_deref().is_some_and(|own| own != model) {
            self.context_window = None;
            self.prices = None;
        }
        self
    }

    /// Whether replies are held to a schema, where a request has tools or has none.
    pub(crate) fn holds_to_schema(&self, with_tools: bool) -> bool {
        match self.structured_output {
            StructuredOutput::Never => false,
            StructuredOutput::WithoutTools => !with_tools,
            StructuredOutput::Always => true,
        }
    }

    /// Whether `model` takes a temperature.
    pub(crate) fn takes_temperature(&self, model: &str) -> bool {
        let name = model.rsplit('/').next().unwrap_or(model);
        !self.no_temperature.iter().any(|start| name.starts_with(start.as_str()))
    }
}

/// The presets are part of the program, and a test reads them.
#[expect(clippy::expect_used, reason = "the text is a part of the program that a test reads")]
static PRESETS: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct File {
        preset: Vec<Profile>,
    }
    toml::from_str::<File>(include_str!("presets.toml")).expect("the presets are TOML").preset
});
