use agent_core::tool;

#[tool("Add two numbers.", max_output = 0)]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
