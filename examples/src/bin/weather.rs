//! Two calls in one step, and a closure that stands in for the model.

use agent_core::{Agent, FnModel, Message, Reply, tool};
use serde_json::json;

#[tool("Look up how warm it is in a city, such as 北京.", read_only)]
fn get_weather(city: &str) -> String {
    match city {
        "北京" => "18℃".into(),
        "上海" => "22℃".into(),
        "广州" => "27℃".into(),
        _ => format!("there is no weather for {city}; ask for 北京, 上海 or 广州"),
    }
}

#[tool("Work out an arithmetic expression, such as (1 + 2) * 3 / 4.", read_only)]
fn calc(expression: &str) -> Result<f64, String> {
    // What a model writes has no bounds, and the parser takes its time over long texts.
    if expression.len() > 500 {
        return Err("the expression is too long; work it out in parts".into());
    }
    match exmex::eval_str::<f64>(expression) {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(value) => Err(format!("`{expression}` is {value}; check it for a division by zero")),
        Err(error) => Err(format!("`{expression}` cannot be read: {error}; correct it")),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = FnModel::new(|messages: &[Message]| {
        Ok(match messages {
            [.., Message::Tool(celsius), Message::Tool(fahrenheit)] => Reply::text(format!(
                "北京当前约 {}，换算华氏约为 {}°F。",
                celsius.content, fahrenheit.content
            )),
            _ => Reply::default()
                .and_call_with_id("c1", "get_weather", json!({"city": "北京"}))
                .and_call_with_id("c2", "calc", json!({"expression": "18 * 9 / 5 + 32"})),
        })
    });
    let run = Agent::builder().model(model).build()?.run("北京现在多少度？换算成华氏呢？").await?;
    for message in run.transcript().messages() {
        if let Message::Tool(result) = message {
            println!("{} {} -> {}", result.call_id, result.name, result.content);
        }
    }
    println!("{}", run.answer()?);
    Ok(())
}
