use std::rc::Rc;

use agent_core::tool;

#[tool("Wait, then answer.")]
async fn wait(answer: String) -> String {
    let answer = Rc::new(answer);
    std::future::ready(()).await;
    answer.to_string()
}

fn main() {}
