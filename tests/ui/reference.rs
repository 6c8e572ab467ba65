use agent_core::tool;

struct Config {
    verbose: bool,
}

#[tool("Show the configuration.")]
fn show(config: &Config) -> bool {
    config.verbose
}

fn main() {
    println!("{}", show(&Config { verbose: true }));
}
