use agent_core::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Words(Vec<String>);

#[tool("Join words.")]
fn join(#[arg(length = 1..)] words: Words) -> String {
    words.0.join(" ")
}

fn main() {}
