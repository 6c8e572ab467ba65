use agent_core::tool;

#[tool("Add some numbers.")]
fn sum(#[arg(range = 1..)] numbers: &[f64]) -> f64 {
    numbers.iter().sum()
}

fn main() {}
