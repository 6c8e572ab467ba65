use agent_core::tool;

#[tool("The distance of a point from the origin.")]
fn distance((x, y): (f64, f64)) -> f64 {
    x.hypot(y)
}

fn main() {
    println!("{}", distance((3.0, 4.0)));
}
