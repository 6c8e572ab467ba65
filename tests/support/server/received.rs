//! A request, as it was received.

use std::io;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt};

/// A request, as it was received.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Received {
    /// The method.
    pub method: String,
    /// The path, or the whole URL where the server is used as a proxy.
    pub target: String,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// The protocols the server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's Chat Completions.
    Chat,
    /// Anthropic's Messages.
    Messages,
}

impl Received {
    /// The value of a header, its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON; null where it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The protocol, by the path.
    #[must_use]
    pub fn protocol(&self) -> Option<Protocol> {
        let path = self.target.split('?').next()?;
        if path.ends_with("/chat/completions") {
            Some(Protocol::Chat)
        } else if path.ends_with("/messages") {
            Some(Protocol::Messages)
        } else {
            None
        }
    }

    fn head(bytes: &[u8]) -> io::Result<Option<(Self, usize, usize)>> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut head = httparse::Request::new(&mut headers);
        let parsed = head.parse(bytes).map_err(|error| io::Error::new(INVALID, error))?;
        let httparse::Status::Complete(length) = parsed else { return Ok(None) };
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let received = Self {
            method: head.method.unwrap_or_default().to_owned(),
            target: head.path.unwrap_or_default().to_owned(),
            headers: head
                .headers
                .iter()
                .map(|header| (header.name.to_lowercase(), text(header.value)))
                .collect(),
            body: Vec::new(),
        };
        let body = received.header("content-length").map_or(Ok(0), str::parse);
        Ok(Some((received, length, body.map_err(|error| io::Error::new(INVALID, error))?)))
    }
}

const INVALID: io::ErrorKind = io::ErrorKind::InvalidData;

/// What a client has sent and nobody has read.
#[derive(Default)]
pub(super) struct Inbox(Vec<u8>);

impl Inbox {
    /// The next request; none once the client has closed the connection.
    pub(super) async fn next(
        &mut self,
        reader: &mut (impl AsyncRead + Unpin),
    ) -> io::Result<Option<Received>> {
        loop {
            if let Some((mut received, head, body)) = Received::head(&self.0)?
                && self.0.len() >= head + body
            {
                received.body = self.0.drain(..head + body).skip(head).collect();
                return Ok(Some(received));
            }
            match reader.read_buf(&mut self.0).await? {
                0 if self.0.is_empty() => return Ok(None),
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                _ => {}
            }
        }
    }

    /// Waits until the client closes the connection, which is early: it has an answer to come.
    pub(super) async fn left(&mut self, reader: &mut (impl AsyncRead + Unpin)) -> io::Error {
        loop {
            match reader.read_buf(&mut self.0).await {
                Ok(0) => return io::ErrorKind::UnexpectedEof.into(),
                Ok(_) => {}
                Err(error) => return error,
            }
        }
    }
}
