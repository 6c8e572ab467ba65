use agent_core::tool;

#[tool("A calculator.")]
struct Calculator {
    memory: f64,
}

fn main() {
    println!("{}", Calculator { memory: 0.0 }.memory);
}
