use agent_core::tool;

#[derive(serde::Deserialize)]
struct Point {
    x: f64,
    y: f64,
}

#[tool("The length of a path.")]
fn length(points: Vec<Point>) -> f64 {
    points.iter().map(|point| point.x.hypot(point.y)).sum()
}

fn main() {}
