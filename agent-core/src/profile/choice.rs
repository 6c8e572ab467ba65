//! Which model is asked: from the environment, or by name.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

use super::{Profile, Protocol};
use crate::anthropic::Anthropic;
use crate::chat::ChatCompletions;
use crate::http::{key, server};
use crate::model::{Model, ModelError, ModelErrorKind};

/// A profile with the key, the base URL and the model that go with it.
#[derive(Clone)]
pub struct Choice {
    profile: Profile,
    pub(super) key: Option<SecretString>,
    pub(super) base_url: String,
    pub(super) model: Option<String>,
    stream: bool,
}

impl Choice {
    /// What the environment names:
    ///
    /// 1. where `LLM_BASE_URL`, `LLM_API_KEY` or `LLM_MODEL` is set: that server (OpenAI's, if no
    ///    URL is set), key and model. Where only `LLM_MODEL` is set, it is the model of the preset
    ///    that comes next;
    /// 2. else the first of the [presets](Profile::presets) that has a key of its own set, or, if
    ///    it needs none, a base URL.
    ///
    /// `None` where it names nothing. A variable that is empty counts as not set.
    #[must_use]
    pub fn from_env() -> Option<Self> {
        Self::from_vars(&env)
    }

    pub(super) fn from_vars(vars: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let (url, own_key) = (vars("LLM_BASE_URL"), vars("LLM_API_KEY"));
        let mut choice = match (url, own_key) {
            (Some(url), _) => Self::at_url(&url, vars),
            (None, Some(own_key)) => {
                Self { key: Some(key(&own_key)), ..Self::of(Profile::presets().first()?.clone()) }
            }
            (None, None) => Profile::presets().iter().find_map(|preset| {
                let choice = Self::from_profile(preset.clone(), vars);
                let has_url = || preset.url_var.as_deref().and_then(vars).is_some();
                let named = if preset.keyless { has_url() } else { choice.has_key() };
                named.then_some(choice)
            })?,
        };
        choice.model = vars("LLM_MODEL").or(choice.model);
        Some(choice)
    }

    /// The server at a base URL, with the key in `LLM_API_KEY` (or in the variable of the preset
    /// whose server it is) and the model in `LLM_MODEL`, if they are set.
    #[must_use]
    pub fn at(base_url: &str) -> Self {
        let mut choice = Self::at_url(base_url, &env);
        choice.model = env("LLM_MODEL").or(choice.model);
        choice
    }

    fn at_url(url: &str, vars: &dyn Fn(&str) -> Option<String>) -> Self {
        let profile = Profile::for_url(url);
        let own = vars("LLM_API_KEY").as_deref().map(key);
        Self { key: own.or_else(|| profile_key(&profile, vars)), ..Self::of(profile) }
    }

    /// A preset by name, or with the name of a model after a colon: `deepseek`, `ollama:qwen3:8b`.
    /// Its key, and its base URL and model where they are set, come from the preset's variables in
    /// the environment.
    ///
    /// # Errors
    ///
    /// There is no such preset.
    pub fn named(name: &str) -> Result<Self, ModelError> {
        let (preset, model) = match name.split_once(':') {
            Some((preset, model)) => (preset, Some(model)),
            None => (name, None),
        };
        let Some(profile) = Profile::preset(preset) else {
            let names: Vec<_> =
                Profile::presets().iter().map(|known| known.name.as_str()).collect();
            let message =
                format!("there is no preset `{preset}`; take one of {}", names.join(", "));
            return Err(ModelError::of(ModelErrorKind::Config, message));
        };
        let mut choice = Self::from_profile(profile.clone(), &env);
        choice.model = model.map(str::to_owned).or(choice.model);
        Ok(choice)
    }

    /// A profile with what its variables in the environment say.
    #[must_use]
    pub fn of_profile(profile: Profile) -> Self {
        Self::from_profile(profile, &env)
    }

    pub(super) fn of(profile: Profile) -> Self {
        let base_url = profile.base_url.clone();
        Self { key: None, base_url, model: None, stream: true, profile }
    }

    fn from_profile(profile: Profile, vars: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut choice = Self::of(profile);
        choice.key = profile_key(&choice.profile, vars);
        if let Some(url) = choice.profile.url_var.as_deref().and_then(vars) {
            choice.base_url = url;
        }
        choice.model = choice.profile.model_var.as_deref().and_then(vars);
        choice
    }

    /// The choice, at another base URL.
    #[must_use]
    pub fn with_base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }

    /// The choice, with replies streamed or not.
    #[must_use]
    pub fn with_stream(mut self, stream: bool) -> Self {
        self.stream = stream;
        self
    }

    /// The profile.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Where the server is: the base URL without a password or a query. Empty where it is no URL.
    #[must_use]
    pub fn server(&self) -> String {
        server(&self.base_url)
    }

    /// The name of the model that is asked, if one is known.
    #[must_use]
    pub fn model_name(&self) -> Option<&str> {
        self.model.as_deref().or(self.profile.model.as_deref())
    }

    /// Whether there is a key.
    #[must_use]
    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// The model.
    ///
    /// # Errors
    ///
    /// A key is needed and not set, the base URL is none, or no model is named.
    pub fn into_model(self) -> Result<Box<dyn Model>, ModelError> {
        if self.key.is_none() && !self.profile.keyless {
            let message = format!(
                "`{}` needs a key; set {}",
                self.profile.name,
                self.profile.key_vars.join(" or ")
            );
            return Err(ModelError::of(ModelErrorKind::Config, message));
        }
        match self.profile.protocol {
            Protocol::Chat => self.chat(),
            Protocol::Anthropic => self.anthropic(),
        }
    }

    fn chat(self) -> Result<Box<dyn Model>, ModelError> {
        let mut builder = ChatCompletions::builder()
            .profile(self.profile)
            .base_url(self.base_url)
            .stream(self.stream);
        if let Some(key) = &self.key {
            builder = builder.api_key(key.expose_secret());
        }
        if let Some(model) = self.model {
            builder = builder.model(model);
        }
        Ok(Box::new(builder.build()?))
    }

    fn anthropic(self) -> Result<Box<dyn Model>, ModelError> {
        let mut builder =
            Anthropic::builder().profile(self.profile).base_url(self.base_url).stream(self.stream);
        if let Some(key) = &self.key {
            builder = builder.api_key(key.expose_secret());
        }
        if let Some(model) = self.model {
            builder = builder.model(model);
        }
        Ok(Box::new(builder.build()?))
    }
}

/// A variable of the environment; an empty one counts as not set.
fn env(name: &str) -> Option<String> {
    let value = std::env::var(name).ok()?;
    Some(value.trim().to_owned()).filter(|value| !value.is_empty())
}

fn profile_key(profile: &Profile, vars: &dyn Fn(&str) -> Option<String>) -> Option<SecretString> {
    profile.key_vars.iter().find_map(|name| vars(name)).as_deref().map(key)
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choice")
            .field("profile", &self.profile.name)
            .field("model", &self.model_name())
            .field("has_key", &self.has_key())
            .finish_non_exhaustive()
    }
}
