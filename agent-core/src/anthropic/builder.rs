//! Putting a model together.

use std::fmt;

use reqwest::header::HeaderName;
use secrecy::SecretString;
use serde_json::{Map, Value};

use super::{Anthropic, PROVIDER};
use crate::cost::Prices;
use crate::http::{Http, Retries, Timeouts, key};
use crate::model::{ModelError, ModelErrorKind};
use crate::profile::{Profile, Protocol};

/// The version of the protocol that is spoken.
const VERSION: &str = "2023-06-01";

/// Fields that the model itself writes.
const RESERVED: [&str; 5] = ["messages", "system", "tools", "model", "stream"];

/// An [`Anthropic`] in the making.
#[must_use]
pub struct AnthropicBuilder {
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

impl Default for AnthropicBuilder {
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

impl AnthropicBuilder {
    /// Sets what is particular about the provider. Without it, the preset `anthropic`.
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

    /// Adds a field to each request, such as `thinking`; it takes the place of one of the same name.
    /// `null` leaves the field out.
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
    /// The base URL is not usable, no model is named, the key cannot be sent, the profile speaks
    /// another protocol, or an extra field is one that the model writes itself.
    pub fn build(self) -> Result<Anthropic, ModelError> {
        let profile = self.profile.or_else(|| Profile::preset(PROVIDER).cloned());
        let profile = profile.ok_or_else(|| config("the model has no profile; give it one"))?;
        if profile.protocol != Protocol::Anthropic {
            return Err(config(format!(
                "the profile `{}` speaks another protocol; build its model with `Choice`",
                profile.name
            )));
        }
        let model = self.model.or(profile.model.clone()).ok_or_else(|| {
            config(format!("the profile `{}` has no model of its own; name one", profile.name))
        })?;
        let mut extra = profile.extra.clone();
        extra.extend(self.extra);
        if let Some(name) = RESERVED.iter().find(|name| extra.contains_key(**name)) {
            return Err(config(format!("`{name}` cannot be an extra field; leave it out")));
        }
        let base_url = self.base_url.as_deref().unwrap_or(&profile.base_url);
        let mut http = Http::new(base_url, "messages", self.timeouts, self.retries)?
            .header("anthropic-version", VERSION);
        if let Some(key) = &self.key {
            http = http.secret_header(HeaderName::from_static("x-api-key"), "", key)?;
        }
        // Extended thinking refuses a temperature.
        let temperature = profile.takes_temperature(&model) && !extra.contains_key("thinking");
        let profile = profile.asked_for(&model);
        Ok(Anthropic {
            http,
            model,
            context_window: self.context_window.or(profile.context_window),
            prices: self.prices.or(profile.prices),
            stream: self.stream,
            temperature,
            extra,
        })
    }
}

fn config(message: impl Into<String>) -> ModelError {
    ModelError::of(ModelErrorKind::Config, message)
}

impl fmt::Debug for AnthropicBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnthropicBuilder")
            .field("profile", &self.profile.as_ref().map(|profile| &profile.name))
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
