//! The docs tools in an agent of your own, beside a tool of your own. A closure stands in for the
//! model.

use agent_core::{Agent, FnModel, Message, Reply, tool, tools};
use agent_docs_tools::{Docs, INSTRUCTIONS};
use serde_json::json;

#[tool("Look up a setting of our service.", read_only)]
fn our_setting(name: &str) -> Result<&'static str, String> {
    match name {
        "max_steps" => Ok("20"),
        "tool_timeout" => Ok("5s"),
        _ => Err(format!("there is no setting `{name}`; ask for max_steps or tool_timeout")),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = FnModel::new(|messages: &[Message]| {
        Ok(match messages {
            [.., Message::Tool(docs), Message::Tool(ours)] => Reply::text(format!(
                "Our tools may take {}. The docs say of the default:\n{}",
                ours.content, docs.content
            )),
            _ => Reply::call("grep_docs", json!({"keyword": "| `tool_timeout` |"}))
                .and_call("our_setting", json!({"name": "tool_timeout"})),
        })
    });
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
    let folder = std::env::args().nth(1).unwrap_or_else(|| default.to_owned());
    let agent = Agent::builder()
        .model(model)
        .tools(agent_docs_tools::tools())
        .tools(tools![our_setting])
        .state(Docs::open(folder)?)
        .system(INSTRUCTIONS)
        .build()?;
    println!("{}", agent.run("How long may a tool take?").await?.answer()?);
    Ok(())
}
