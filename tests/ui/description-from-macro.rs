use agent_core::tool;

#[tool(concat!("Add ", "two numbers."))]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
