use agent_core::tool;

#[tool("Scale a number.")]
fn scale(number: f64, #[arg(default = 2)] factor: f64) -> f64 {
    number * factor
}

fn main() {}
