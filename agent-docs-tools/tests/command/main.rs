//! The command `docs-agent`, run as a process.

#![expect(clippy::unwrap_used, reason = "the helpers of tests may fail like the tests themselves")]

mod approval;
#[cfg(unix)]
mod approval_terminal;
mod ask;
mod call;
mod chat;
#[cfg(unix)]
mod chat_terminal;
mod choice;
mod conversation;
mod desk;
mod help;
#[cfg(unix)]
mod interrupt;
mod limit_options;
mod limits;
mod models;
mod pending;
mod pipes;
mod readme;
mod real_docs;
mod records;
mod roles;
mod script;
mod served;
#[cfg(unix)]
mod terminal;
mod tools;
#[cfg(unix)]
mod typist;
mod usage;
