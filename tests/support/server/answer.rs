//! What the server does with one request.

use std::time::Duration;

use agent_core::Reply;
use serde_json::Value;

use super::form;
use super::received::Received;

/// What the server does with one request: an answer, and how it goes wrong.
#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    content: Content,
    delay: Duration,
    pieces: Pieces,
    pause: Duration,
    cut: Option<usize>,
    end: End,
}

#[derive(Debug, Clone)]
enum Content {
    /// A reply in the form that the request asks for.
    Reply(Box<Reply>),
    /// An error in the form of the request's protocol.
    Error { kind: String, message: String },
    /// A body with its length announced.
    Body(Vec<u8>),
    /// A body in chunks.
    Stream(Vec<u8>),
    /// Bytes in place of an HTTP response.
    Raw(Vec<u8>),
}

#[derive(Debug, Clone, Copy)]
enum Pieces {
    One,
    SplitAt(usize),
    Of(usize),
}

/// How an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// As it should.
    Whole,
    /// The connection is closed.
    Close,
    /// The connection is reset.
    Reset,
    /// Nothing more comes, and the connection stays open.
    Stall,
}

impl Answer {
    fn new(status: u16, content: Content) -> Self {
        Self {
            status,
            headers: Vec::new(),
            content,
            delay: Duration::ZERO,
            pieces: Pieces::One,
            pause: Duration::from_millis(2),
            cut: None,
            end: End::Whole,
        }
    }

    /// A reply, whole or streamed, in the protocol of the request.
    #[must_use]
    pub fn reply(reply: Reply) -> Self {
        Self::new(200, Content::Reply(Box::new(reply)))
    }

    /// An error, in the form of the request's protocol.
    #[must_use]
    pub fn error(status: u16, kind: &str, message: &str) -> Self {
        Self::new(status, Content::Error { kind: kind.to_owned(), message: message.to_owned() })
    }

    /// A body of JSON.
    #[must_use]
    pub fn json(status: u16, body: &Value) -> Self {
        Self::body(status, "application/json", body.to_string())
    }

    /// A body of any type.
    #[must_use]
    pub fn body(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::new(status, Content::Body(body.into())).with_header("content-type", content_type)
    }

    /// A stream of server-sent events, as they are written on the wire.
    #[must_use]
    pub fn events(events: impl Into<Vec<u8>>) -> Self {
        let stream = Self::new(200, Content::Stream(events.into()));
        stream.with_header("content-type", "text/event-stream")
    }

    /// Bytes in place of an HTTP response, then the end of the connection.
    #[must_use]
    pub fn garbage(bytes: impl Into<Vec<u8>>) -> Self {
        Self { end: End::Close, ..Self::new(0, Content::Raw(bytes.into())) }
    }

    /// No answer at all, ended in this way.
    #[must_use]
    pub fn nothing(end: End) -> Self {
        Self { end, ..Self::garbage("") }
    }

    /// The answer with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The answer, after a delay.
    #[must_use]
    pub fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// The answer, its body in two pieces.
    #[must_use]
    pub fn split_at(self, byte: usize) -> Self {
        Self { pieces: Pieces::SplitAt(byte), ..self }
    }

    /// The answer, its body in pieces of `size` bytes, with a pause between them.
    #[must_use]
    pub fn dripping(self, size: usize, pause: Duration) -> Self {
        Self { pieces: Pieces::Of(size.max(1)), pause, ..self }
    }

    /// The answer, ended after so many bytes of its body.
    #[must_use]
    pub fn cut_at(self, byte: usize, end: End) -> Self {
        Self { cut: Some(byte), end, ..self }
    }

    pub(super) fn delivery(self, request: &Received) -> Delivery {
        let Self { status, mut headers, content, delay, pieces, pause, cut, end } = self;
        let Rendered { content_type, framing, body } = content.render(request);
        headers.extend(content_type.map(|value| ("content-type".to_owned(), value.to_owned())));
        let whole = body.len();
        let cut = cut.unwrap_or(whole).min(whole);
        let body = pieces.of(&body[..cut]);
        let (head, pieces, tail) = match framing {
            Framing::Raw => (Vec::new(), body.map(<[u8]>::to_vec).collect(), ""),
            Framing::Length => {
                headers.push(("content-length".to_owned(), whole.to_string()));
                (head(status, &headers), body.map(<[u8]>::to_vec).collect(), "")
            }
            Framing::Chunks => {
                headers.push(("transfer-encoding".to_owned(), "chunked".to_owned()));
                let tail = if end == End::Whole { "0\r\n\r\n" } else { "" };
                (head(status, &headers), body.map(chunk).collect(), tail)
            }
        };
        Delivery { delay, head, pieces, pause, tail, end }
    }
}

/// An answer as it goes over the wire.
pub(super) struct Delivery {
    pub(super) delay: Duration,
    pub(super) head: Vec<u8>,
    pub(super) pieces: Vec<Vec<u8>>,
    pub(super) pause: Duration,
    pub(super) tail: &'static str,
    pub(super) end: End,
}

struct Rendered {
    content_type: Option<&'static str>,
    framing: Framing,
    body: Vec<u8>,
}

enum Framing {
    Length,
    Chunks,
    Raw,
}

impl Content {
    fn render(self, request: &Received) -> Rendered {
        let rendered = |content_type, framing, body| Rendered { content_type, framing, body };
        match self {
            Self::Reply(reply) => match form::reply(&reply, request) {
                form::Form::Whole(json) => {
                    rendered(Some("application/json"), Framing::Length, json.into_bytes())
                }
                form::Form::Events(events) => {
                    rendered(Some("text/event-stream"), Framing::Chunks, events.into_bytes())
                }
            },
            Self::Error { kind, message } => {
                let json = form::error(request.protocol(), &kind, &message).to_string();
                rendered(Some("application/json"), Framing::Length, json.into_bytes())
            }
            Self::Body(body) => rendered(None, Framing::Length, body),
            Self::Stream(body) => rendered(None, Framing::Chunks, body),
            Self::Raw(bytes) => rendered(None, Framing::Raw, bytes),
        }
    }
}

impl Pieces {
    fn of(self, body: &[u8]) -> impl Iterator<Item = &[u8]> {
        let size = match self {
            Self::One => body.len(),
            Self::SplitAt(byte) => byte.min(body.len()),
            Self::Of(size) => size,
        };
        let (first, rest) = body.split_at(size.min(body.len()));
        let rest_size = if let Self::Of(size) = self { size } else { rest.len() };
        let rest = rest.chunks(rest_size.max(1));
        std::iter::once(first).chain(rest).filter(|piece| !piece.is_empty())
    }
}

fn head(status: u16, headers: &[(String, String)]) -> Vec<u8> {
    let headers: String =
        headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("HTTP/1.1 {status} Scripted\r\n{headers}\r\n").into_bytes()
}

fn chunk(piece: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat()
}
