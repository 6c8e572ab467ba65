use agent_core::{ToolContext, tool};

#[tool("Name the run.")]
fn run_id(cx: &ToolContext) -> String {
    format!("{cx:?}")
}

fn main() {}
