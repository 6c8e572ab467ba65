use agent_core::tool;

#[tool("Search the documents.")]
fn search(#[arg("")] query: &str) -> String {
    query.to_owned()
}

fn main() {}
