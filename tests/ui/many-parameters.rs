use agent_core::{ToolContext, tool};

struct Shop(String);

#[tool("Order something.")]
fn order(
    #[state] shop: &mut Shop,
    #[context] cx: ToolContext,
    #[context] again: &ToolContext,
    #[arg(rename = "count")] number: u32,
    #[arg(default = -1)] count: u8,
    notes: &mut Vec<String>,
) -> String {
    shop.0.push_str("!");
    format!("{cx:?} {again:?} {number} {count} {notes:?}")
}

fn main() {
    agent_core::tools![order];
}
