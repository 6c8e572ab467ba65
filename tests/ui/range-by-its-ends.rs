use agent_core::tool;

#[tool("Set the volume.")]
fn volume(#[arg(min = 1)] percent: u8) -> u8 {
    percent
}

fn main() {}
