//! The body of a response: chunks, and the events in them.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, stream};
use reqwest::Response;
pub(crate) use sseer::event::Event;
use sseer::{EventStream, errors::EventStreamError};

use super::failure;
use crate::model::{ModelError, ModelErrorKind};

/// No reply is longer, in bytes.
const LONGEST: usize = 64 << 20;

/// What is read of the body of an error, in bytes.
const ERROR_START: usize = 64 << 10;

/// How long the body of an error is waited for.
const ERROR_TIME: Duration = Duration::from_secs(10);

pub(super) struct Body {
    response: Response,
    idle: Duration,
    read: usize,
}

impl Body {
    pub(super) fn new(response: Response, idle: Duration) -> Self {
        Self { response, idle, read: 0 }
    }

    /// The next piece, `None` at the end.
    async fn chunk(&mut self) -> Result<Option<Bytes>, ModelError> {
        let chunk = match tokio::time::timeout(self.idle, self.response.chunk()).await {
            Ok(Ok(chunk)) => chunk,
            Ok(Err(error)) => return Err(failure::broken(error)),
            Err(_) => return Err(failure::silent("stopped in the middle of a reply", self.idle)),
        };
        self.read += chunk.as_ref().map_or(0, Bytes::len);
        if self.read > LONGEST {
            let message = "the reply is longer than 64 MiB; set `max_tokens`";
            return Err(ModelError::of(ModelErrorKind::Body, message));
        }
        Ok(chunk)
    }

    /// The beginning up to the first byte that is not blank, empty if there is none.
    pub(super) async fn first(&mut self) -> Result<Bytes, ModelError> {
        let mut first = BytesMut::new();
        while first.trim_ascii().is_empty() {
            match self.chunk().await? {
                Some(chunk) => first.extend_from_slice(&chunk),
                None => break,
            }
        }
        Ok(first.freeze())
    }

    /// The whole text, of which `first` was read.
    pub(super) async fn rest(mut self, first: Bytes) -> Result<String, ModelError> {
        let mut all = BytesMut::from(first);
        while let Some(chunk) = self.chunk().await? {
            all.extend_from_slice(&chunk);
        }
        Ok(String::from_utf8_lossy(&all).into_owned())
    }

    /// All pieces, of which `first` was read.
    pub(super) fn chunks(
        self,
        first: Bytes,
    ) -> impl Stream<Item = Result<Bytes, ModelError>> + Send {
        let rest = stream::unfold(self, |mut body| async {
            body.chunk().await.transpose().map(|chunk| (chunk, body))
        });
        stream::iter([Ok(first)]).chain(rest)
    }

    /// The beginning, as far as it comes in a moment: enough to say what an error is about.
    pub(super) async fn start(mut self) -> String {
        let mut start = BytesMut::new();
        let reading = async {
            while start.len() < ERROR_START
                && let Ok(Some(chunk)) = self.chunk().await
            {
                start.extend_from_slice(&chunk);
            }
        };
        // What has come by then will do.
        tokio::time::timeout(ERROR_TIME, reading).await.ok();
        start.truncate(ERROR_START);
        String::from_utf8_lossy(&start).into_owned()
    }
}

/// Whether a body that begins with `first` is a stream of events, whatever was asked for and
/// whatever its content type says: some servers send JSON as events, and some events as JSON.
pub(super) fn is_events(first: &[u8], says_so: bool) -> bool {
    match first.trim_ascii_start() {
        [b'{' | b'[' | b'<', ..] => false,
        start => {
            let fields: [&[u8]; 4] = [b"data:", b"event:", b"id:", b":"];
            says_so || fields.iter().any(|field| start.starts_with(field))
        }
    }
}

/// The events in the pieces of a body. After an error nothing more may be asked for.
pub(super) fn events(
    chunks: impl Stream<Item = Result<Bytes, ModelError>> + Send,
) -> impl Stream<Item = Result<Event, ModelError>> + Send {
    // Servers end without the blank line that ends an event.
    let end = stream::iter([Ok(Bytes::from_static(b"\n\n"))]);
    EventStream::new(chunks.chain(end)).map(|event| {
        event.map_err(|error| match error {
            EventStreamError::Transport(error) => error,
            EventStreamError::Utf8Error(error) => {
                failure::unreadable("an event of the stream", &error.to_string())
            }
        })
    })
}
