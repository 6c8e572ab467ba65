use agent_core::tool;

#[tool("End the program.")]
fn end() -> ! {
    std::process::exit(0)
}

fn main() {}
