//! The command `docs-agent`; `docs-agent --help` tells how it is used.

mod cli;

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::process::ExitCode {
    cli::main().await.into()
}
