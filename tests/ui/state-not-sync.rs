use std::cell::Cell;

use agent_core::tool;

struct Counter(Cell<u64>);

#[tool("Count this call.")]
fn count(#[state] counter: &Counter) -> u64 {
    counter.0.get()
}

fn main() {}
