//! Asks the model at a base URL one question, without trying again, and prints the answer or why
//! there is none. The variable `KEY` has the key; with `LOG`, all that is logged goes to standard error.

use agent_core::Agent;
use agent_core::chat::ChatCompletions;
use agent_core::http::Retries;

struct StandardError;

impl log::Log for StandardError {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        eprintln!("{} {}: {}", record.level(), record.target(), record.args());
    }

    fn flush(&self) {}
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    if std::env::var_os("LOG").is_some() {
        log::set_logger(&StandardError).map_err(anyhow::Error::msg)?;
        log::set_max_level(log::LevelFilter::Trace);
    }
    let url = std::env::args().nth(1).unwrap_or_default();
    let model = ChatCompletions::builder().model("m").base_url(url).retries(Retries::none());
    let model = model.api_key(&std::env::var("KEY").unwrap_or_default());
    let agent = Agent::builder().model(model.build()?).tools([]).build()?;
    println!("{}", agent.run("Hello?").await?.answer()?);
    Ok(())
}
