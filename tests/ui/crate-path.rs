use agent_core::tool;

#[tool("Add two numbers.", crate = crate::kit)]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    agent_core::tools![add];
}
