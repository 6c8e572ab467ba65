use agent_core::tool;

#[tool("Scale a number.")]
fn scale(number: f64, #[arg(range = 0.0..=f64::INFINITY)] factor: f64) -> f64 {
    number * factor
}

fn main() {}
