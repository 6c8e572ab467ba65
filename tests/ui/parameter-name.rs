use agent_core::tool;

#[tool("The area of a circle.")]
fn area(größe: f64) -> f64 {
    größe * größe
}

fn main() {}
