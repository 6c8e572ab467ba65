use agent_core::tool;

struct Docs(Vec<String>);

#[tool("Count the documents.")]
fn count(#[arg(state)] docs: &Docs) -> usize {
    docs.0.len()
}

fn main() {}
