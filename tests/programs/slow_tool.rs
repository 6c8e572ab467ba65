//! An agent whose tool sleeps for an hour. The call times out, the run goes on, and the end of the
//! process does not wait for the tool.

use std::time::Duration;

use agent_core::{Agent, Message, Reply, ScriptedModel, tool, tools};
use serde_json::json;

#[tool("Sleep for an hour.", timeout = "100ms")]
fn sleep_for_an_hour() {
    std::thread::sleep(Duration::from_secs(60 * 60));
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let script = ScriptedModel::new([
        Reply::call("sleep_for_an_hour", json!({})),
        Reply::text("It took too long."),
    ]);
    let agent = Agent::builder().model(script).tools(tools![sleep_for_an_hour]).build()?;
    let run = agent.run("Sleep.").await?;
    for message in run.transcript().messages() {
        if let Message::Tool(result) = message {
            println!("{}", result.content);
        }
    }
    println!("{}", run.answer()?);
    Ok(())
}
