use agent_core::tool;

type Name = String;

#[tool("Greet someone.")]
fn greet(#[arg(range = 1..=40)] name: Name) -> String {
    format!("Hello, {name}!")
}

fn main() {}
