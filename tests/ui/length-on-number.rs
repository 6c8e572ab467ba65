use agent_core::tool;

#[tool("Roll some dice.")]
fn roll(#[arg(length = 1..=6)] dice: Option<u8>) -> u8 {
    dice.unwrap_or(1)
}

fn main() {}
