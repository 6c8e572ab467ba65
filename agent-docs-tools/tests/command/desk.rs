//! A folder to run the command in, with a few documents.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder of its own for one test; its `docs` holds the documents.
pub(crate) struct Desk(TempDir);

/// What a run of the command left.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    /// With two documents about a lamp.
    pub(crate) fn new() -> Self {
        let desk = Self::empty();
        desk.write(
            "docs/lamp.md",
            "# The lamp\n\nThe lamp stands on the desk.\n\n## Replacing the bulb\n\n\
             Turn the bulb to the left until it comes off.\nOnly use bulbs of 5 watts.\n",
        );
        desk.write("docs/guide/cleaning.md", "# Cleaning\n\nWipe the lamp with a dry cloth.\n");
        desk
    }

    /// Without a folder `docs`.
    pub(crate) fn empty() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn read_json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// Writes `script.json`, one assistant message a reply.
    pub(crate) fn script(&self, replies: impl IntoIterator<Item = Value>) {
        let replies: Vec<Value> = replies.into_iter().collect();
        self.write("script.json", Value::from(replies).to_string());
    }

    /// The command, to be run here; what it prints is captured.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_docs-agent"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            // Help is as wide as the terminal, and models are chosen by the environment.
            .env_clear()
            .env("HOME", self.path("home"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Done {
        self.run_with(&[], arguments)
    }

    /// Runs the command with these variables in its environment, and no others.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Done {
        self.command(arguments).envs(variables.iter().copied()).output().unwrap().into()
    }
}

impl Desk {
    /// Runs the command with this text on standard input.
    pub(crate) fn run_piped(&self, arguments: &[&str], typed: impl AsRef<[u8]>) -> Done {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        // It may end before it has read all.
        child.stdin.take().unwrap().write_all(typed.as_ref()).ok();
        child.wait_with_output().unwrap().into()
    }
}

impl From<Output> for Done {
    fn from(Output { status, stdout, stderr }: Output) -> Self {
        Self {
            status: status.code(),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }
}

impl Done {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// Checks that it ended with this status and said nothing on standard output, and gives what it
    /// said on standard error.
    pub(crate) fn failed(self, status: i32) -> String {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert_eq!(self.stdout, "");
        self.stderr
    }
}

/// A reply that calls one tool, with its arguments as text.
pub(crate) fn calls(tool: &str, arguments: &str) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": [
        {"type": "function", "function": {"name": tool, "arguments": arguments}}
    ]})
}

/// A reply of text.
pub(crate) fn says(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}
