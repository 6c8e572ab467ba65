use agent_core::tool;

struct Point {
    x: f64,
    y: f64,
}

#[tool("The distance of a point from the origin.")]
fn distance(point: Point) -> f64 {
    point.x.hypot(point.y)
}

fn main() {}
