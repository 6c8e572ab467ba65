use agent_core::tool;

#[tool("Search the documents.", default = 10)]
fn search(query: &str, limit: usize) -> String {
    format!("{query} {limit}")
}

fn main() {}
