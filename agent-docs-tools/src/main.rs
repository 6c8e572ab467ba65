//! The command `docs-agent`; `docs-agent --help` tells how it is used.

mod cli;

use std::process::ExitCode;

fn main() -> std::io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let status = runtime.block_on(cli::main());
    // What is left at work, such as the look-up of a host's name, must not hold up the end.
    runtime.shutdown_background();
    Ok(status.into())
}
