use agent_core::tool;

#[tool("Count the documents.")]
fn count(#[state("docs")] docs: &Vec<String>) -> usize {
    docs.len()
}

fn main() {}
