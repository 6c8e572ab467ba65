use agent_core::tool;

#[tool("Toss a coin.")]
fn bool() -> String {
    "true".to_owned()
}

fn main() {}
