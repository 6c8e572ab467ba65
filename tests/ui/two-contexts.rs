use agent_core::{ToolContext, tool};

#[tool("Compare two calls.")]
fn compare(#[context] one: &ToolContext, #[context] other: &ToolContext) -> String {
    format!("{one:?} {other:?}")
}

fn main() {}
