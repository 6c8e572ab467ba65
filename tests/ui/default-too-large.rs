use agent_core::tool;

#[tool("Set the volume.")]
fn volume(#[arg(default = 300)] percent: u8) -> u8 {
    percent
}

fn main() {}
