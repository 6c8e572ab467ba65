use agent_core::tool;

struct Counter(u64);

#[tool("Count this call.")]
fn count(#[state] counter: &mut Counter) -> u64 {
    counter.0 += 1;
    counter.0
}

fn main() {}
