use agent_core::tool;

#[tool("The size of a file in bytes.")]
fn größe(path: &str) -> u64 {
    path.len() as u64
}

fn main() {}
