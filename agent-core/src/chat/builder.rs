//! Putting a model together.

use std::fmt;
use std::sync::Arc;

use reqwest::header::AUTHORIZATION;
use secrecy::SecretString;
use serde_json::{Map, Value};

use super::ChatCompletions;
use super::request::Common;
use crate::cost::Prices;
use crate::http::{Http, Retries, Timeouts, key};
use crate::model::{ModelError, ModelErrorKind};
use crate::profile::{Profile, Protocol};

/// A [`ChatCompletions`] in the making.
#[must_use]
pub struct ChatCompletionsBuilder {
    profile: Option<Profile>,
    base_url: Option<String>,
    key: Option<SecretString>,
    model: Option<String>,
    context_window: Option<u64>,
    prices: Option<Prices>,
    stream: bool,
    extra: Map<String, Value>,
    timeouts: Timeouts,
    retries: Retries,
}

impl Default for ChatCompletionsBuilder {
    fn default() -> Self {
        Self {
            profile: None,
            base_url: None,
            key: None,
            model: None,
            context_window: None,
            prices: None,
            stream: true,
            extra: Map::new(),
            timeouts: Timeouts::default(),
            retries: Retries::default(),
        }
    }
}

impl ChatCompletionsBuilder {
    /// Sets what is particular about the provider. Without it, the base URL tells.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.profile = Some(profile);
        self
    }

    /// Sets the base URL, with or without `/v1` at its end; without it, the profile's.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the key. It travels in a header and appears in no message.
    pub fn api_key(mut self, api_key: &str) -> Self {
        self.key = Some(key(api_key));
        self
    }

    /// Sets the name of the model; without it, the profile's.
    pub fn model(mut self, name: impl Into<String>) -> Self {
        self.model = Some(name.into());
        self
    }

    /// Sets how many tokens a request and its reply may have together; without it, the profile's.
    pub fn context_window(mut self, tokens: u64) -> Self {
        self.context_window = Some(tokens);
        self
    }

    /// Sets what the model costs; without it, the profile's.
    pub fn prices(mut self, prices: Prices) -> Self {
        self.prices = Some(prices);
        self
    }

    /// Sets whether replies are streamed. They are unless this says no.
    pub fn stream(mut self, stream: bool) -> Self {
        self.stream = stream;
        self
    }

    /// Adds a field to each request; it takes the place of one of the same name. `null` leaves the
    /// field out.
    pub fn extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(name.into(), value.into());
        self
    }

    /// Sets how long the server may be silent.
    pub fn timeouts(mut self, timeouts: Timeouts) -> Self {
        self.timeouts = timeouts;
        self
    }

    /// Sets how often a request is sent again.
    pub fn retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// Builds the model. No request is sent.
    ///
    /// # Errors
    ///
    /// There is no usable base URL, no model is named, the key cannot be sent, or an extra field is
    /// one that the model writes itself.
    pub fn build(self) -> Result<ChatCompletions, ModelError> {
        let profile = match (self.profile, &self.base_url) {
            (Some(profile), _) => profile,
            (None, Some(url)) => Profile::for_url(url),
            (None, None) => return Err(config("the model has no base URL; give it one")),
        };
        if profile.protocol != Protocol::Chat {
            return Err(config(format!(
                "the profile `{}` speaks another protocol; build its model with `Choice`",
                profile.name
            )));
        }
        let model = self.model.or_else(|| profile.model.clone()).ok_or_else(|| {
            config(format!("the profile `{}` has no model of its own; name one", profile.name))
        })?;
        let taken =
            |name: &&str| self.extra.contains_key(*name) || profile.extra.contains_key(*name);
        if let Some(name) = ["messages", "tools", "model", "stream"].iter().find(|name| taken(name))
        {
            return Err(config(format!("`{name}` cannot be an extra field; leave it out")));
        }
        let base_url = self.base_url.as_deref().unwrap_or(&profile.base_url);
        let mut http = Http::new(base_url, "chat/completions", self.timeouts, self.retries)?;
        if let Some(key) = &self.key {
            http = http.secret_header(AUTHORIZATION, "Bearer ", key)?;
        }
        let mut profile = profile.asked_for(&model);
        profile.context_window = self.context_window.or(profile.context_window);
        profile.prices = self.prices.or(profile.prices);
        let profile = Arc::new(profile);
        let (stream, extra) = (self.stream, self.extra);
        Ok(ChatCompletions { http, common: Common { profile, model, stream, extra } })
    }
}

fn config(message: impl Into<String>) -> ModelError {
    ModelError::of(ModelErrorKind::Config, message)
}

impl fmt::Debug for ChatCompletionsBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatCompletionsBuilder")
            .field("profile", &self.profile.as_ref().map(|profile| &profile.name))
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
