use agent_core::tool;

const LIMIT: &str = "10";

#[tool("Search the documents.")]
fn search(query: &str, #[arg(default = LIMIT)] limit: usize) -> String {
    format!("{query} {limit}")
}

fn main() {}
