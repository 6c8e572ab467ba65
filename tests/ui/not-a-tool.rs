fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    agent_core::tools![add];
    add(1.0, 2.0);
}
