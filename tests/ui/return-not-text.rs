use agent_core::tool;

struct Point {
    x: f64,
    y: f64,
}

#[tool("The point in the middle.")]
fn middle(x: f64, y: f64) -> Point {
    Point { x: x / 2.0, y: y / 2.0 }
}

fn main() {}
