use agent_core::tool;

fn loudest() -> u8 {
    100
}

#[tool("Set the volume.")]
fn volume(#[arg(range = 0..=loudest())] percent: u8) -> u8 {
    percent
}

fn main() {}
