use agent_core::tool;

#[tool("Search the documents.")]
fn search(query: &str, #[arg(default = "10")] limit: usize) -> String {
    format!("{query} {limit}")
}

fn main() {}
