//! Four plain functions, and a model that uses them. A script stands in for the model.

use agent_core::{Agent, Reply, ScriptedModel, tool};
use serde_json::json;

#[tool("Add a and b.", read_only, inline)]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool("Subtract b from a.", read_only, inline)]
fn subtract(a: f64, b: f64) -> f64 {
    a - b
}

#[tool("Multiply a by b.", read_only, inline)]
fn multiply(a: f64, b: f64) -> f64 {
    a * b
}

#[tool("Divide a by b.", read_only, inline)]
fn divide(a: f64, b: f64) -> f64 {
    a / b
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new([
        Reply::call("subtract", json!({"a": 5.0, "b": 3.2})),
        Reply::call("divide", json!({"a": 1.8, "b": 5.0})),
        Reply::call("multiply", json!({"a": 0.36, "b": 100.0})),
        Reply::text("The error is 36% of the setpoint."),
    ]);
    let agent = Agent::builder().model(model).on_event(|event| println!("{}", serde_json::to_string(event).unwrap())).build()?;
    println!("{}", agent.toolbox().tools()[0].parameters());
    let run = agent
        .run("A system has a current state of 3.2 and a setpoint of 5.0. What is the error as a percentage of the setpoint?")
        .await?;
    println!("{}", run.answer()?);
    Ok(())
}
