//! The HTTP client.

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use rustls::{ClientConfig, RootCertStore};

use super::failure::chain;
use crate::model::{ModelError, ModelErrorKind};

/// A client for one address. Proxies are taken from the environment.
pub(super) fn build(url: &Url, connect: Duration) -> Result<Client, ModelError> {
    let client = Client::builder()
        .user_agent(concat!("agent-core/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(connect)
        .redirect(same_place())
        .tls_backend_preconfigured(tls(url)?);
    client.build().map_err(|error| unusable(&chain(&error)))
}

/// Follows a redirect that keeps the request as it is and does not leave the server; a key must not
/// travel elsewhere. Any other is an answer, which the caller reads as a failure.
fn same_place() -> Policy {
    Policy::custom(|attempt| {
        let keeps_method = matches!(attempt.status().as_u16(), 307 | 308);
        let same =
            attempt.previous().last().is_some_and(|from| from.origin() == attempt.url().origin());
        if keeps_method && same && attempt.previous().len() <= 5 {
            attempt.follow()
        } else {
            attempt.stop()
        }
    })
}

/// TLS that trusts what the system trusts, or the file that `SSL_CERT_FILE` names. It names its
/// provider of cryptography, so that it does not matter which others are in the process.
fn tls(url: &Url) -> Result<ClientConfig, ModelError> {
    let mut roots = RootCertStore::empty();
    // A server without TLS is reached on systems without certificates too.
    if url.scheme() == "https" {
        let found = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            let why = found.errors.first().map(|error| format!(" ({error})")).unwrap_or_default();
            return Err(unusable(&format!(
                "no certificates were found{why}; install them, or name a file of them in SSL_CERT_FILE"
            )));
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable(&error.to_string()))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

fn unusable(why: &str) -> ModelError {
    ModelError::of(ModelErrorKind::Config, format!("no HTTP client can be made: {why}"))
}
