use agent_core::tool;

trait Calculator {
    #[tool("Add two numbers.")]
    fn add(a: f64, b: f64) -> f64;
}

fn main() {}
