use agent_core::tool;

#[tool("Convert an amount of money.")]
fn convert(amount: f64, #[arg(rename = "amount")] rate: f64) -> f64 {
    amount * rate
}

fn main() {}
