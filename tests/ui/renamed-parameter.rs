use agent_core::tool;

#[tool("Search the documents.")]
fn search(#[arg(rename = "search-term")] term: &str) -> String {
    term.to_owned()
}

fn main() {}
