use agent_core::{ToolContext, tool};

#[tool("Name the run.")]
fn run_id(#[context] cx: ToolContext) -> String {
    format!("{cx:?}")
}

fn main() {}
