use agent_core::tool;

#[tool("The length of a vector.")]
fn norm(#[arg(length = 2..=3)] vector: [f64; 3]) -> f64 {
    vector[0].hypot(vector[1]).hypot(vector[2])
}

fn main() {}
