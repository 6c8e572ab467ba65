use agent_core::tool;

const LOUDEST: u32 = 100;

#[tool("Set the volume.")]
fn volume(#[arg(range = 0..=LOUDEST)] percent: u8) -> u8 {
    percent
}

fn main() {}
