use agent_core::tool;

#[tool("Search the documents.")]
fn search(query: &str, #[arg(default = Some(10))] limit: Option<usize>) -> String {
    format!("{query} {limit:?}")
}

fn main() {}
