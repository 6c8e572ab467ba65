use agent_core::tool;

#[tool("Apply a function.")]
fn apply(function: fn(f64) -> f64, to: f64) -> f64 {
    function(to)
}

fn main() {}
