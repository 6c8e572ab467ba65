use agent_core::tool;

#[tool("Set the volume.")]
fn volume(#[arg(default = 0, range = 1..=100)] percent: u8) -> u8 {
    percent
}

fn main() {}
