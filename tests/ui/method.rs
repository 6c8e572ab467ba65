use agent_core::tool;

struct Calculator {
    memory: f64,
}

impl Calculator {
    #[tool("Add a number to the memory.")]
    fn add(&self, a: f64) -> f64 {
        self.memory + a
    }
}

fn main() {
    println!("{}", Calculator { memory: 1.0 }.add(2.0));
}
