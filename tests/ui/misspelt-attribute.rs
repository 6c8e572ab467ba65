use agent_core::tool;

#[tool("Search the documents.")]
fn search(#[args("What to look for.")] query: &str) -> String {
    query.to_owned()
}

fn main() {}
