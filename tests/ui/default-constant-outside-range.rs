use agent_core::tool;

const FEW: u32 = 0;
const MOST: u32 = 80;

#[tool("Search the documents.")]
fn search(query: &str, #[arg(default = FEW, range = 1..=MOST)] limit: u32) -> String {
    format!("{query} {limit}")
}

fn main() {}
