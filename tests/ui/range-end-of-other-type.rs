use agent_core::tool;

#[tool("Scale a number.")]
fn scale(number: f64, #[arg(range = 0..)] factor: f64) -> f64 {
    number * factor
}

fn main() {}
