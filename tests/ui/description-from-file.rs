use agent_core::tool;

#[tool]
#[doc = include_str!("description-from-file.rs")]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {}
