use agent_core::tool;

#[tool("Roll some dice.")]
fn roll(#[arg(range = 6)] dice: u8) -> u8 {
    dice
}

fn main() {}
