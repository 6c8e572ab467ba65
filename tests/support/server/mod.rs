//! A model server on loopback that misbehaves as it is told to, and refuses whatever a real one
//! would refuse.
//!
//! Each request is first checked by the rules of its protocol, known by its path; an invalid one is
//! answered 400 and listed in [`Log::refused`]. A valid one is answered as the script says. The server
//! runs on a thread of its own, so that a test's clock and threads are the client's alone.

mod answer;
mod connection;
mod form;
mod received;
pub mod strict;
pub mod tls;

use std::collections::VecDeque;
use std::fmt;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};

pub use answer::{Answer, End};
pub use received::{Protocol, Received};

/// What the server has seen.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Log {
    /// The requests, in the order in which they were complete.
    pub received: Vec<Received>,
    /// Why requests were refused.
    pub refused: Vec<String>,
    /// How many clients left before their answer was whole.
    pub left: usize,
}

/// How the server answers.
pub struct Script {
    answer: Box<dyn Fn(&Received) -> Answer + Send + Sync>,
    extensions: &'static [&'static str],
    keeps_requests: bool,
    checks: bool,
}

impl Script {
    /// Answers each request as `answer` says.
    pub fn new(answer: impl Fn(&Received) -> Answer + Send + Sync + 'static) -> Self {
        Self { answer: Box::new(answer), extensions: &[], keeps_requests: true, checks: true }
    }

    /// Gives these answers in order.
    pub fn list(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers = Mutex::new(answers.into_iter().collect::<VecDeque<_>>());
        Self::new(move |_| {
            let next = answers.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            next.unwrap_or_else(|| Answer::error(400, "script_error", "the script has run out"))
        })
    }

    /// Takes these fields too, as some server does, such as `reasoning_content`.
    #[must_use]
    pub fn with_extensions(self, extensions: &'static [&'static str]) -> Self {
        Self { extensions, ..self }
    }

    /// Forgets each request once it is answered.
    #[must_use]
    pub fn forgetful(self) -> Self {
        Self { keeps_requests: false, ..self }
    }

    /// Takes any request, where the time of the check must not be measured.
    #[must_use]
    pub fn unchecked(self) -> Self {
        Self { checks: false, ..self }
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").field("extensions", &self.extensions).finish_non_exhaustive()
    }
}

/// The server; it stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    log: watch::Receiver<Log>,
    _stop: oneshot::Sender<()>,
}

impl Server {
    /// A server at a free port of loopback.
    ///
    /// # Panics
    ///
    /// There is no port to be had.
    #[must_use]
    #[expect(clippy::expect_used, reason = "a test without its server cannot go on")]
    pub fn start(script: Script) -> Self {
        let (log, seen) = watch::channel(Log::default());
        let (stop, stopped) = oneshot::channel();
        let (started, address) = std::sync::mpsc::channel();
        let desk = Arc::new(Desk { script, log });
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime").block_on(async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                started.send(listener.local_addr().expect("an address")).expect("a test waits");
                tokio::select! {
                    () = accept(listener, desk) => {}
                    _ = stopped => {}
                }
            });
        });
        Self { address: address.recv().expect("an address"), log: seen, _stop: stop }
    }

    /// A server that gives these answers in order.
    #[must_use]
    pub fn list(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self::start(Script::list(answers))
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its base URL, without a path: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it has seen so far.
    #[must_use]
    pub fn log(&self) -> watch::Ref<'_, Log> {
        self.log.borrow()
    }

    /// Waits until its log is as `done` says, five seconds at most.
    ///
    /// # Errors
    ///
    /// It did not come to that; the error is the log.
    pub async fn until(&self, done: impl FnMut(&Log) -> bool) -> Result<(), String> {
        let mut log = self.log.clone();
        match tokio::time::timeout(Duration::from_secs(5), log.wait_for(done)).await {
            Ok(Ok(_)) => Ok(()),
            _ => Err(format!("{:?}", *self.log.borrow())),
        }
    }
}

async fn accept(listener: TcpListener, desk: Arc<Desk>) {
    while let Ok((stream, _)) = listener.accept().await {
        let desk = desk.clone();
        tokio::spawn(async move {
            if connection::serve(stream, &desk).await.is_err() {
                desk.log.send_modify(|log| log.left += 1);
            }
        });
    }
}

/// Where requests are judged and answers are found.
struct Desk {
    script: Script,
    log: watch::Sender<Log>,
}

impl Desk {
    fn answer(&self, request: &Received) -> Answer {
        let verdict = match self.script.checks {
            true => strict::check(request, self.script.extensions),
            false => Ok(()),
        };
        self.log.send_modify(|log| {
            if self.script.keeps_requests {
                log.received.push(request.clone());
            }
            log.refused.extend(verdict.as_ref().err().map(ToString::to_string));
        });
        match verdict {
            Ok(()) => (self.script.answer)(request),
            Err(refusal) => Answer::error(refusal.status, refusal.kind, &refusal.message),
        }
    }
}
