use agent_core::tool;

#[tool("Add two numbers.")]
const fn add(a: i64, b: i64) -> i64 {
    a + b
}

const SUM: i64 = add(1, 2);

fn main() {
    println!("{SUM}");
}
