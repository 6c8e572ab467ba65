use agent_core::tool;

#[tool("The first of some numbers.")]
fn first<const N: usize>(numbers: [f64; N]) -> f64 {
    numbers[0]
}

fn main() {
    println!("{}", first([1.0]));
}
