use agent_core::tool;

struct Calculator {
    memory: f64,
}

impl Calculator {
    #[tool("Read the memory.")]
    fn memory(of: Self) -> f64 {
        of.memory
    }
}

fn main() {
    println!("{}", Calculator::memory(Calculator { memory: 1.0 }));
}
