use agent_core::tool;

#[tool("Repeat a text.")]
fn repeat(text: impl AsRef<str>, times: usize) -> String {
    text.as_ref().repeat(times)
}

fn main() {
    println!("{}", repeat("a", 2));
}
