use agent_core::tool;

#[tool("Add two numbers." read_only)]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
