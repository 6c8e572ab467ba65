use agent_core::tool;

#[tool("Sort some words.")]
fn sort(words: &mut Vec<String>) -> String {
    words.sort();
    words.join(" ")
}

fn main() {}
