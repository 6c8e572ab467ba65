//! What the agent adds to HTTP: a run of 50 steps, whole replies, over loopback, against a bare client
//! that posts the same bodies, made before. Prints the ratio of the two.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on has nothing to say")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use agent_core::chat::ChatCompletions;
use agent_core::{Agent, tool, tools};
use reqwest::header::CONTENT_TYPE;
use serde_json::json;
use tests::server::{Answer, Received, Script, Server};
use tokio_rustls::rustls::crypto::ring;

const STEPS: usize = 50;
const ROUNDS: usize = 41;

/// What the peers are held to.
const TARGET: f64 = 1.3;

#[tool("Look a word up.", read_only, inline, register = false)]
fn look_up(word: &str, from: usize) -> String {
    format!("{word} is on line {from}: a timeout is the time after which a client gives up.")
}

fn main() {
    ring::default_provider().install_default().expect("the first provider");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(compare());
}

async fn compare() {
    let bodies = recorded().await;
    let (agents, bares) = (server().forgetful(), server().forgetful());
    let (agents, bares) = (Server::start(agents.unchecked()), Server::start(bares.unchecked()));
    let agent = agent(&agents);
    let client = reqwest::Client::new();
    let url = format!("{}/v1/chat/completions", bares.url());
    let (mut with_agent, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        agent.run("What is a timeout?").await.expect("a run");
        with_agent.push(start.elapsed());
        let start = Instant::now();
        for body in &bodies {
            post(&client, &url, body.clone()).await.expect("a reply");
        }
        bare.push(start.elapsed());
    }
    let (with_agent, bare) = (median(with_agent), median(bare));
    let ratio = with_agent.as_secs_f64() / bare.as_secs_f64();
    println!("{STEPS} steps over loopback, median of {ROUNDS}:");
    println!("  agent        {with_agent:>10.2?}");
    println!("  bare reqwest {bare:>10.2?}");
    println!("  ratio        {ratio:>9.2}  (target: under {TARGET})");
}

/// The bodies that an agent sends in such a run, checked by the server.
async fn recorded() -> Vec<Vec<u8>> {
    let server = Server::start(server());
    agent(&server).run("What is a timeout?").await.expect("a run");
    server.log().received.iter().map(|request| request.body.clone()).collect()
}

/// Answers with calls, and in the last step with text; its replies are made before.
fn server() -> Script {
    let call = json!({"index": 0, "finish_reason": "tool_calls", "message": {
        "role": "assistant", "content": null, "tool_calls": [{"id": "ID", "type": "function",
            "function": {"name": "look_up", "arguments": "{\"word\":\"timeout\",\"from\":FROM}"}}],
    }});
    let calls = (1..STEPS).map(|n| {
        json!({"choices": [call]})
            .to_string()
            .replace("FROM", &n.to_string())
            .replace("ID", &format!("call_{n}"))
    });
    let text = json!({"choices": [{"index": 0, "finish_reason": "stop", "message": {
        "role": "assistant", "content": "It is a time.",
    }}]});
    let replies: Vec<Answer> = calls
        .chain([text.to_string()])
        .map(|body| Answer::body(200, "application/json", body))
        .collect();
    let asked = AtomicUsize::new(0);
    Script::new(move |_: &Received| replies[asked.fetch_add(1, Ordering::Relaxed) % STEPS].clone())
}

fn agent(server: &Server) -> Agent {
    let model = ChatCompletions::builder().model("m").base_url(server.url()).stream(false);
    let model = model.build().expect("a model");
    let agent = Agent::builder().model(model).tools(tools![look_up]).max_steps(STEPS as u32);
    agent.build().expect("an agent")
}

async fn post(client: &reqwest::Client, url: &str, body: Vec<u8>) -> reqwest::Result<()> {
    let request = client.post(url).header(CONTENT_TYPE, "application/json").body(body);
    request.send().await?.bytes().await.map(drop)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
