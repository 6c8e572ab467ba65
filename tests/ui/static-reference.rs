use agent_core::tool;

#[tool("Count the words of a text.")]
fn count_words(text: &'static str) -> usize {
    text.split_whitespace().count()
}

fn main() {}
