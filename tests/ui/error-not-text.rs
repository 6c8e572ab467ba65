use agent_core::tool;

enum Trouble {
    Empty,
}

#[tool("Count the words of a text.")]
fn count_words(text: &str) -> Result<usize, Trouble> {
    if text.is_empty() { Err(Trouble::Empty) } else { Ok(text.split_whitespace().count()) }
}

fn main() {}
