use agent_core::tool;

#[tool("Search the documents.")]
fn search(
    /// What to look for.
    #[arg("The words to look for.")]
    query: &str,
) -> String {
    query.to_owned()
}

fn main() {}
