//! A person at a terminal.

use std::io::{Read, Write};
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};

use crate::desk::Desk;

/// No more than this is waited for what should appear.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) const CTRL_C: &str = "\u{3}";
pub(crate) const CTRL_D: &str = "\u{4}";
pub(crate) const UP: &str = "\u{1b}[A";

/// A person at a terminal, where the command runs.
pub(crate) struct Typist {
    terminal: Arc<Pty>,
    child: Child,
    written: Receiver<Vec<u8>>,
    /// What was written, and how much of it has been seen.
    all: String,
    seen: usize,
}

impl Typist {
    /// Starts the command on a terminal.
    pub(crate) fn start(desk: &Desk, arguments: &[&str]) -> Self {
        let (terminal, end) = open().unwrap();
        terminal.resize(Size::new(40, 120)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_docs-agent"))
            .args(arguments)
            .current_dir(desk.path(""))
            .env_clear()
            .env("TERM", "xterm")
            .env("HOME", desk.path("home"))
            .spawn(end)
            .unwrap();
        let terminal = Arc::new(terminal);
        let (send, written) = channel();
        let reader = Arc::clone(&terminal);
        thread::spawn(move || {
            let mut piece = [0; 4096];
            // The end of a terminal is an error.
            while let Ok(length @ 1..) = (&*reader).read(&mut piece) {
                send.send(piece[..length].to_vec()).unwrap();
            }
        });
        Self { terminal, child, written, all: String::new(), seen: 0 }
    }

    /// Waits until `text` has been written, after all that was waited for before.
    pub(crate) fn sees(&mut self, text: &str) -> &mut Self {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.all[self.seen..].find(text) {
                self.seen += at + text.len();
                return self;
            }
            let piece = self.written.recv_timeout(end.saturating_duration_since(Instant::now()));
            assert!(piece.is_ok(), "`{text}` was not written: {:?}", &self.all[self.seen..]);
            self.all += &String::from_utf8_lossy(&piece.unwrap());
        }
    }

    pub(crate) fn types(&mut self, text: &str) -> &mut Self {
        (&*self.terminal).write_all(text.as_bytes()).unwrap();
        self
    }

    /// Ends the command without a chance to do anything.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits for the end; gives the status and all that was written.
    pub(crate) fn ends(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap().code();
        self.all
            .extend(self.written.iter().map(|piece| String::from_utf8_lossy(&piece).into_owned()));
        (status, self.all)
    }
}
