use agent_core::tool;

#[tool("Change a text.")]
fn change(text: Option<&mut str>) -> bool {
    text.is_some()
}

fn main() {}
