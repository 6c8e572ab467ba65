use agent_core::tool;

const LANGUAGE: &str = "english";

#[tool("Translate a text.")]
fn translate(text: &str, #[arg(default = LANGUAGE, length = 2..=2)] language: &str) -> String {
    format!("{text} in {language}")
}

fn main() {}
