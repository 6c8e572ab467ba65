use agent_core::tool;

const ADD: &str = "Add two numbers.";

#[tool(ADD, read_only)]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    println!("{ADD}");
}
