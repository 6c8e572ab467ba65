use agent_core::tool;

#[tool("Add some bytes.")]
fn sum(bytes: Option<&[u8]>) -> usize {
    bytes.map_or(0, |bytes| bytes.iter().map(|byte| usize::from(*byte)).sum())
}

fn main() {}
