//! What all models behind HTTP share: how long a server may be silent, and when it is asked again.
//!
//! Proxies come from the environment, certificates from the system or from the file that
//! `SSL_CERT_FILE` names. A key travels in a header, to the server it was given for, and appears in
//! no error. A redirect to another server is not followed.

// A `Protocol` says how bodies and events become a reply and does no I/O; `Http` sends, waits, reads
// and tries again.

mod address;
mod body;
mod client;
mod deltas;
mod failure;
mod retry;
mod secret;
mod surrogates;
#[cfg(test)]
mod tests;

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url};
use secrecy::SecretString;

pub(crate) use address::{origin, server};
pub(crate) use body::Event;
pub(crate) use deltas::Deltas;
pub(crate) use failure::{json, reported, unreadable};
pub use retry::Retries;
pub(crate) use secret::{Secrets, key};

use crate::model::{ModelError, ModelErrorKind, Reply};
use body::Body;

/// How a protocol reads replies.
pub(crate) trait Protocol: Sync {
    /// Puts a streamed reply together.
    type Assembler: Assembler;

    /// An assembler of one reply.
    fn assembler(&self) -> Self::Assembler;

    /// Reads a whole reply: with [`json`], and with [`reported`] where it is an error instead.
    fn whole(&self, body: &str) -> Result<Reply, ModelError>;

    /// The reply that stands in the error message of a server.
    fn recover(&self, _status: u16, _body: &str) -> Option<Reply> {
        None
    }
}

/// Puts one streamed reply together, event by event.
pub(crate) trait Assembler: Send {
    /// Takes an event and tells `deltas` what can be shown of it: read with [`json`], and with
    /// [`reported`] where it is an error.
    fn event(&mut self, event: &Event, deltas: &mut Deltas<'_>) -> Result<(), ModelError>;

    /// How far the reply has come.
    fn progress(&self) -> Progress;

    /// The text so far, for the error of a stream that dies.
    fn text(&self) -> &str;

    /// The reply. Only asked for when it is whole.
    fn finish(self) -> Result<Reply, ModelError>;
}

/// How far a streamed reply has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// The end signal is still to come.
    Open,
    /// The end signal was seen; what follows, such as usage, is welcome and not needed.
    Whole,
    /// Nothing follows.
    Closed,
}

/// How long a server may be silent. The time of a whole reply is not limited: a run's deadline does
/// that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until it takes a connection; 10 seconds.
    pub connect: Duration,
    /// Until it begins to answer; 5 minutes, since a reply that is not streamed is made before it is
    /// sent.
    pub first_byte: Duration,
    /// Between two pieces of an answer; 2 minutes.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(300),
            idle: Duration::from_secs(120),
        }
    }
}

/// How long to wait for what may follow a reply that is whole.
const GRACE: Duration = Duration::from_secs(2);

/// A place that requests are posted to.
pub(crate) struct Http {
    client: Client,
    url: Url,
    headers: HeaderMap,
    secrets: Secrets,
    timeouts: Timeouts,
    retries: Retries,
}

impl Http {
    /// Posts go to `path`, such as `chat/completions`, below `base_url`.
    pub(crate) fn new(
        base_url: &str,
        path: &str,
        timeouts: Timeouts,
        retries: Retries,
    ) -> Result<Self, ModelError> {
        let url = address::endpoint(base_url, path)?;
        let client = client::build(&url, timeouts.connect)?;
        let headers =
            HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        let secrets = Secrets::of_url(&url);
        Ok(Self { client, url, headers, secrets, timeouts, retries })
    }

    /// Sends a header with each request.
    pub(crate) fn header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        self
    }

    /// Sends a key with each request, after `prefix`, and keeps it out of every message.
    pub(crate) fn secret_header(
        mut self,
        name: HeaderName,
        prefix: &str,
        key: &SecretString,
    ) -> Result<Self, ModelError> {
        self.headers.insert(name, secret::header(prefix, key)?);
        self.secrets.add(key.clone());
        Ok(self)
    }

    /// Posts `body` and reads the reply, again where it failed in a way that may pass.
    pub(crate) async fn ask<P: Protocol>(
        &self,
        protocol: &P,
        body: Bytes,
        deltas: &mut Deltas<'_>,
    ) -> Result<Reply, ModelError> {
        let mut waits = self.retries.waits();
        let mut attempt = 0;
        loop {
            attempt += 1;
            let error = match self.attempt(protocol, body.clone(), deltas).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error.map_text(|text| self.secrets.scrub(text)),
            };
            let may_repeat = self.retries.after_text || !deltas.shown();
            let Some(wait) = waits.after(&error).filter(|_| may_repeat) else { return Err(error) };
            deltas.retry(attempt, wait, &error);
            tokio::time::sleep(wait).await;
        }
    }

    async fn attempt<P: Protocol>(
        &self,
        protocol: &P,
        body: Bytes,
        deltas: &mut Deltas<'_>,
    ) -> Result<Reply, ModelError> {
        let response = self.send(body).await?;
        let status = response.status();
        if !status.is_success() {
            let headers = response.headers().clone();
            let text = Body::new(response, self.timeouts.idle).start().await;
            return match protocol.recover(status.as_u16(), &text) {
                Some(reply) => Ok(reply),
                None => Err(failure::refused(status, &headers, &text)),
            };
        }
        let is_stream = content_type(&response).contains("event-stream");
        let mut body = Body::new(response, self.timeouts.idle);
        let first = body.first().await?;
        if body::is_events(&first, is_stream) {
            return assemble(protocol.assembler(), body.chunks(first), deltas).await;
        }
        let reply = protocol.whole(&body.rest(first).await?)?;
        if let Some(reasoning) = &reply.reasoning {
            deltas.reasoning(reasoning);
        }
        deltas.text(&reply.text);
        Ok(reply)
    }

    async fn send(&self, body: Bytes) -> Result<Response, ModelError> {
        let request =
            self.client.post(self.url.clone()).headers(self.headers.clone()).body(body).send();
        match tokio::time::timeout(self.timeouts.first_byte, request).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(failure::unreached(&address::shown(&self.url), error)),
            Err(_) => Err(failure::silent("began no answer", self.timeouts.first_byte)),
        }
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http")
            .field("url", &address::shown(&self.url))
            .field("timeouts", &self.timeouts)
            .field("retries", &self.retries)
            .finish_non_exhaustive()
    }
}

fn content_type(response: &Response) -> &str {
    response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Puts a reply together from the pieces of a body, until nothing more is to come.
pub(crate) async fn assemble<A: Assembler>(
    mut assembler: A,
    chunks: impl Stream<Item = Result<Bytes, ModelError>> + Send,
    deltas: &mut Deltas<'_>,
) -> Result<Reply, ModelError> {
    let mut events = std::pin::pin!(body::events(chunks));
    loop {
        let next = match assembler.progress() {
            Progress::Closed => None,
            // The reply is there; what comes after it is not worth an error.
            Progress::Whole => {
                let next = tokio::time::timeout(GRACE, events.next()).await;
                next.ok().flatten().and_then(Result::ok)
            }
            Progress::Open => match events.next().await.transpose() {
                Ok(next) => next,
                Err(error) => return Err(error.with_partial(assembler.text())),
            },
        };
        let Some(event) = next else { break };
        if let Err(error) = assembler.event(&event, deltas) {
            return Err(error.with_partial(assembler.text()));
        }
    }
    if assembler.progress() == Progress::Open {
        let message = "the stream of the reply ended before its end signal; ask again";
        let error = ModelError::of(ModelErrorKind::Truncated, message).retryable(None);
        return Err(error.with_partial(assembler.text()));
    }
    assembler.finish()
}
