use agent_core::tool;

#[tool("Count the words of a text.")]
fn count_words(text: &String) -> usize {
    text.split_whitespace().count()
}

fn main() {}
