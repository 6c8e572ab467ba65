//! Four plain functions, and a model that uses them: the one that the environment names, or a script.

use agent_core::profile::Choice;
use agent_core::{Agent, Reply, ScriptedModel, tool};
use serde_json::json;

#[tool("Add a and b.")]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool("Subtract b from a.")]
fn subtract(a: f64, b: f64) -> f64 {
    a - b
}

#[tool("Multiply a by b.")]
fn multiply(a: f64, b: f64) -> f64 {
    a * b
}

#[tool("Divide a by b.")]
fn divide(a: f64, b: f64) -> Result<f64, &'static str> {
    if b == 0.0 { Err("b is zero; divide by another number") } else { Ok(a / b) }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let script = ScriptedModel::new([
        Reply::call("subtract", json!({"a": 5.0, "b": 3.2})),
        Reply::call("divide", json!({"a": 1.8, "b": 5.0})),
        Reply::call("multiply", json!({"a": 0.36, "b": 100})),
        Reply::text("The error is 36% of the setpoint."),
    ]);
    let goal = "A system has a current state of 3.2 and a setpoint of 5.0. \
                What is the error as a percentage of the setpoint?";
    let agent = match Choice::from_env() {
        Some(choice) => Agent::builder().model(choice.into_model()?),
        None => Agent::builder().model(script),
    };
    println!("{}", agent.build()?.run(goal).await?.answer()?);
    Ok(())
}
