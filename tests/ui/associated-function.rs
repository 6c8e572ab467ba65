use agent_core::tool;

struct Calculator;

impl Calculator {
    #[tool("Add two numbers.")]
    fn add(a: f64, b: f64) -> f64 {
        a + b
    }
}

fn main() {
    println!("{}", Calculator::add(1.0, 2.0));
}
