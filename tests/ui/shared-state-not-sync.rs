use std::cell::Cell;
use std::sync::Arc;

use agent_core::tool;

#[tool("Count this call.")]
fn count(#[state] counter: Arc<Cell<u64>>) -> u64 {
    counter.get()
}

fn main() {}
