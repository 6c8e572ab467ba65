//! Keys: in headers, and nowhere else.

use reqwest::Url;
use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

use crate::model::{ModelError, ModelErrorKind};

/// A key without the blanks and line ends that come with pasting.
pub(crate) fn key(text: &str) -> SecretString {
    text.trim().into()
}

/// The header that carries a key.
pub(super) fn header(prefix: &str, key: &SecretString) -> Result<HeaderValue, ModelError> {
    let invalid = |_| {
        let message = "the key holds characters that no header can carry; copy it again";
        ModelError::of(ModelErrorKind::Config, message)
    };
    let mut value =
        HeaderValue::from_str(&format!("{prefix}{}", key.expose_secret())).map_err(invalid)?;
    value.set_sensitive(true);
    Ok(value)
}

/// What must stand in no message.
#[derive(Default)]
pub(crate) struct Secrets(Vec<SecretString>);

impl Secrets {
    /// The password in an address, and what is called a key in its query.
    pub(super) fn of_url(url: &Url) -> Self {
        let is_secret = |name: &str| {
            let name = name.to_lowercase();
            ["key", "token", "secret", "password"].iter().any(|word| name.contains(word))
        };
        let query = url.query_pairs().filter(|(name, _)| is_secret(name));
        // A token often stands where a user name would.
        let name = Some(url.username()).filter(|name| !name.is_empty());
        let user = name.into_iter().chain(url.password()).map(SecretString::from);
        Self(user.chain(query.map(|(_, value)| value.into_owned().into())).collect())
    }

    pub(super) fn add(&mut self, secret: SecretString) {
        self.0.push(secret);
    }

    /// `text` without the secrets in it, whole or cut off at the end.
    pub(super) fn scrub(&self, text: &str) -> String {
        self.0
            .iter()
            .map(ExposeSecret::expose_secret)
            .filter(|secret| !secret.is_empty())
            .fold(text.to_owned(), |text, secret| without_end(text.replace(secret, MASK), secret))
    }
}

const MASK: &str = "[key]";

/// `text` without the beginning of `secret` that it was cut off in, before an `…`.
fn without_end(text: String, secret: &str) -> String {
    const SHORTEST: usize = 4;
    let Some(kept) = text.strip_suffix('…') else { return text };
    let ends = (SHORTEST..secret.len()).rev();
    let mut cut = ends.filter_map(|end| kept.strip_suffix(secret.get(..end)?));
    match cut.next() {
        Some(kept) => format!("{kept}{MASK}…"),
        None => text,
    }
}
