use agent_core::tool;

#[tool("Translate a text.")]
fn translate(text: &str, #[arg(default = "english", length = 2..=2)] language: &str) -> String {
    format!("{text} in {language}")
}

fn main() {}
