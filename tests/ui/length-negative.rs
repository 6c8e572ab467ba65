use agent_core::tool;

#[tool("Greet someone.")]
fn greet(#[arg(length = -1..=40)] name: &str) -> String {
    format!("Hello, {name}!")
}

fn main() {}
