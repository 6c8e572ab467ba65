//! What real servers refuse, and a little more: where two providers differ, the stricter one counts.
//!
//! The shape of a request, that is the types, the required and the unknown fields, is checked by reading
//! it into types of our own; each further rule is a function.

mod chat;
mod messages;
mod shared;

use std::fmt;

use super::received::{Protocol, Received};

/// Why a request was refused.
#[derive(Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The kind, in the words of the providers.
    pub kind: &'static str,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<String> for Refusal {
    fn from(message: String) -> Self {
        Self { status: 400, kind: "invalid_request_error", message }
    }
}

/// Checks a request by the rules of its protocol; one of no known protocol is taken as it is.
/// `extensions` are fields that are taken though the protocol does not know them.
///
/// # Errors
///
/// Says what is wrong.
pub fn check(request: &Received, extensions: &[&str]) -> Result<(), Refusal> {
    let Some(protocol) = request.protocol() else { return Ok(()) };
    if request.method == "CONNECT" {
        return Ok(());
    }
    headers(request, protocol)?;
    match protocol {
        Protocol::Chat => chat::check(&request.body, extensions)?,
        Protocol::Messages => messages::check(&request.body)?,
    }
    Ok(())
}

/// It is a POST of JSON; Anthropic wants to know its version and who asks.
fn headers(request: &Received, protocol: Protocol) -> Result<(), Refusal> {
    if request.method != "POST" {
        return Err(format!("{} is not allowed; send a POST", request.method).into());
    }
    let content_type = request.header("content-type").unwrap_or_default();
    if content_type.split(';').next() != Some("application/json") {
        return Err(format!("content-type `{content_type}` is not application/json").into());
    }
    if protocol == Protocol::Messages {
        if request.header("anthropic-version").is_none() {
            return Err("anthropic-version: header is required".to_owned().into());
        }
        if request.header("x-api-key").is_none() {
            let message = "x-api-key header is required".to_owned();
            return Err(Refusal { status: 401, kind: "authentication_error", message });
        }
    }
    Ok(())
}
