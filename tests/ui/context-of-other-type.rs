use agent_core::tool;

#[tool("Name the run.")]
fn run_id(#[context] cx: &String) -> String {
    format!("{cx:?}")
}

fn main() {}
