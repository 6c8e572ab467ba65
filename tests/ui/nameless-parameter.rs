use agent_core::tool;

#[tool("Roll a die.")]
fn roll(_: u8) -> u8 {
    4
}

fn main() {}
