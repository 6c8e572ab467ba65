use agent_core::tool;

#[tool("Switch the light.")]
fn switch(#[arg(range = 0..=1)] on: bool) -> bool {
    on
}

fn main() {}
