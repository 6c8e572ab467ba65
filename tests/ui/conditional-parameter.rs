use agent_core::tool;

#[tool("Search the documents.")]
fn search(query: &str, #[cfg(test)] limit: usize) -> String {
    format!("{query} {limit}")
}

fn main() {}
