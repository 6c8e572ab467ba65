use agent_core::tool;

#[tool("Add numbers.")]
unsafe extern "C" fn sum(count: i64, numbers: ...) -> i64 {
    let _ = numbers;
    count
}

fn main() {}
