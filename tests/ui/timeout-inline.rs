use agent_core::tool;

#[tool("Add two numbers.", inline, timeout = "5s")]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
