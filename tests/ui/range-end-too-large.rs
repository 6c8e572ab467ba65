use agent_core::tool;

#[tool("Set the volume.")]
fn volume(#[arg(range = 0..=256)] percent: u8) -> u8 {
    percent
}

fn main() {}
