use agent_core::tool;

const SILENT: u8 = 0;

#[tool("Set the volume.")]
fn volume(#[arg(range = 100..=SILENT)] percent: u8) -> u8 {
    percent
}

fn main() {}
