use agent_core::tool;

#[tool("Count the documents.")]
fn count(#[state] #[arg("The documents.")] docs: &Vec<String>) -> usize {
    docs.len()
}

fn main() {}
