use agent_core::tool;

#[tool("Set the volume.")]
fn volume(#[arg(range = 100..=0)] percent: u8) -> u8 {
    percent
}

fn main() {}
