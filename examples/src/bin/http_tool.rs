//! A tool that asks an HTTP service, through one client that all calls share.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use agent_core::{Agent, Message, Reply, ScriptedModel, tool};
use serde_json::json;

/// A service, and the client that keeps connections to it open.
struct Rates {
    client: ureq::Agent,
    url: String,
}

#[tool("How much one euro is worth in another currency.", read_only, open_world)]
fn exchange_rate(
    #[state] rates: &Rates,
    /// Three letters, such as USD.
    currency: &str,
) -> Result<String, ureq::Error> {
    rates.client.get(&rates.url).query("currency", currency).call()?.body_mut().read_to_string()
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(5)))
        .proxy(None) // the service is on this machine
        .build()
        .new_agent();
    let model = ScriptedModel::new([
        Reply::call("exchange_rate", json!({"currency": "CNY"})),
        Reply::call("exchange_rate", json!({"currency": "gold"})),
        Reply::text("A euro is worth 8.31 yuan; nobody knows in gold."),
    ]);
    let rates = Rates { client, url: serve()? };
    let agent = Agent::builder().model(model).state(rates).build()?;
    let run = agent.run("What is a euro worth, in yuan and in gold?").await?;
    for message in run.transcript().messages() {
        if let Message::Tool(result) = message {
            println!("{} -> {}", result.name, result.content);
        }
    }
    println!("{}", run.answer()?);
    Ok(())
}

/// Starts the service, and says where it is.
fn serve() -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/rate", listener.local_addr()?);
    thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            if let Err(error) = answer(stream, number + 1) {
                eprintln!("a connection broke: {error}");
            }
        }
    });
    Ok(url)
}

/// Answers the requests of one connection.
fn answer(mut stream: TcpStream, connection: usize) -> io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    while let Some(request) = lines.next().transpose()? {
        while lines.next().transpose()?.is_some_and(|header| !header.is_empty()) {}
        let (status, body) = if request.contains("currency=CNY") {
            ("200 OK", format!("8.31 (by connection {connection})"))
        } else {
            ("404 Not Found", String::new())
        };
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
    }
    Ok(())
}
