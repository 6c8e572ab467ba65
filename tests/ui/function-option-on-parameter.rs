use agent_core::tool;

#[tool("Search the documents.")]
fn search(#[arg("What to look for.", timeout = "5s")] query: &str) -> String {
    query.to_owned()
}

fn main() {}
