//! Tools of every temper. Each notes that it was run.

use std::time::Duration;

use agent_core::{Tool, ToolContext, ToolError, tool, tools};

use super::ledger::Ledger;

pub(super) fn all() -> Vec<Tool> {
    tools![fast, slow, fail, explode, block, never, fatal, ask_look, ask_touch]
        .into_iter()
        .collect()
}

/// The names to call, some of them more often, and some of no tool.
pub(super) const NAMES: [&str; 14] = [
    "fast",
    "fast",
    "fast",
    "slow",
    "fail",
    "explode",
    "block",
    "never",
    "ask_look",
    "ask_look",
    "ask_touch",
    "ask_touch",
    "fata",
    "",
];

/// Panics without a word on standard error.
pub(super) fn panic_quietly() -> ! {
    std::panic::resume_unwind(Box::new("as ever"))
}

pub(super) fn is_read_only(name: &str) -> bool {
    matches!(name, "fast" | "slow" | "never" | "ask_look")
}

pub(super) fn needs_approval(name: &str) -> bool {
    matches!(name, "ask_look" | "ask_touch")
}

#[tool("Answer at once.", read_only, inline, register = false)]
fn fast(#[state] ledger: &Ledger, #[context] context: &ToolContext, n: Option<u8>) -> u8 {
    ledger.run("fast", context);
    n.unwrap_or_default()
}

#[tool("Answer after a while.", read_only, register = false)]
async fn slow(#[state] ledger: &Ledger, #[context] context: &ToolContext) -> &'static str {
    ledger.run("slow", context);
    tokio::time::sleep(Duration::from_millis(3)).await;
    "slow"
}

#[tool("Fail.", register = false)]
fn fail(#[state] ledger: &Ledger, #[context] context: &ToolContext) -> Result<(), &'static str> {
    ledger.run("fail", context);
    Err("as ever")
}

#[tool("Panic.", register = false)]
async fn explode(#[state] ledger: &Ledger, #[context] context: &ToolContext) {
    ledger.run("explode", context);
    tokio::task::yield_now().await;
    panic_quietly()
}

#[tool("Block a thread.", timeout = "2ms", register = false)]
fn block(#[state] ledger: &Ledger, #[context] context: &ToolContext) {
    ledger.run("block", context);
    std::thread::sleep(Duration::from_millis(4));
}

#[tool("Never answer.", timeout = "2ms", read_only, register = false)]
async fn never(#[state] ledger: &Ledger, #[context] context: &ToolContext) {
    ledger.run("never", context);
    std::future::pending::<()>().await;
}

#[tool("End the run.", register = false)]
fn fatal(#[state] ledger: &Ledger, #[context] context: &ToolContext) -> Result<(), ToolError> {
    ledger.run("fatal", context);
    Err(ToolError::fatal("as ever"))
}

#[tool("Look, if allowed.", read_only, needs_approval, inline, register = false)]
fn ask_look(#[state] ledger: &Ledger, #[context] context: &ToolContext, n: Option<u8>) -> u8 {
    ledger.run("ask_look", context);
    n.unwrap_or_default()
}

#[tool("Touch, if allowed.", needs_approval, register = false)]
fn ask_touch(#[state] ledger: &Ledger, #[context] context: &ToolContext, n: Option<u8>) -> u8 {
    ledger.run("ask_touch", context);
    n.unwrap_or_default()
}
