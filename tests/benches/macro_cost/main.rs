//! What `#[tool]` costs: time of `cargo check`, lines of expanded code, and bytes of schema.
//!
//! `cargo bench -p tests --bench macro_cost`. The programs are checked in turn, with everything they
//! depend on built before, so that what else the machine does falls on all of them alike.

mod programs;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use agent_core::{tool, tools};
use programs::Program;

type Outcome<T> = Result<T, Box<dyn Error>>;

const ROUNDS: usize = 11;

fn main() -> Outcome<()> {
    check_time()?;
    expanded_lines();
    schema_bytes();
    Ok(())
}

fn check_time() -> Outcome<()> {
    let programs = programs::all();
    let workspace = write_workspace(&programs)?;
    let mut times = programs.each_ref().map(|_| Vec::new());
    for round in 0..=ROUNDS {
        for (program, times) in programs.iter().zip(&mut times) {
            let time = check(&workspace, program)?;
            // The first round builds what the programs depend on.
            if round > 0 {
                times.push(time);
            }
        }
    }
    println!("{:<28}{:>14}{:>14}", "100 functions", "cargo check", "added");
    let mut base = Duration::ZERO;
    for (program, times) in programs.iter().zip(times) {
        let time = median(times);
        let added = if program.title.starts_with(' ') {
            format!("{:.3} s", time.saturating_sub(base).as_secs_f64())
        } else {
            base = time;
            String::new()
        };
        println!("{:<28}{:>12.3} s{added:>14}", program.title, time.as_secs_f64());
    }
    Ok(())
}

fn write_workspace(programs: &[Program]) -> Outcome<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("macro_cost");
    let members: Vec<&str> = programs.iter().map(|program| program.package).collect();
    fs::create_dir_all(&workspace)?;
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
    fs::write(workspace.join("Cargo.toml"), manifest)?;
    // The versions that are built already, so that nothing is looked for on a network.
    fs::copy(root.join("Cargo.lock"), workspace.join("Cargo.lock"))?;
    for Program { package, source, .. } in programs {
        fs::create_dir_all(workspace.join(package).join("src"))?;
        let manifest = format!(
            r#"[package]
name = "{package}"
version = "0.0.0"
edition = "2024"

[dependencies]
agent-core = {{ path = {core:?} }}
schemars = {{ version = "1", default-features = false, features = ["derive", "std"] }}
serde = {{ version = "1", features = ["derive"] }}
serde_json = "1"
"#,
            core = root.join("agent-core"),
        );
        fs::write(workspace.join(package).join("Cargo.toml"), manifest)?;
        fs::write(workspace.join(package).join("src/lib.rs"), source)?;
    }
    Ok(workspace)
}

/// How long it takes to check the program, and nothing that it depends on.
fn check(workspace: &Path, Program { package, source, .. }: &Program) -> Outcome<Duration> {
    fs::write(workspace.join(package).join("src/lib.rs"), source)?;
    let started = Instant::now();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "--package", package])
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", workspace.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .output()?;
    let time = started.elapsed();
    let stderr = String::from_utf8_lossy(&output.stderr);
    // A warning would be work that the others do not have.
    if output.status.success() && stderr.is_empty() {
        Ok(time)
    } else {
        Err(format!("{package} does not pass: {stderr}").into())
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A test of the macro holds it to this expansion.
fn expanded_lines() {
    let expansion = include_str!("../../../agent-macros/src/tests/two_parameters.expanded");
    let lines = expansion.lines().count();
    println!("\nexpansion of a tool of two parameters: {lines} lines");
}

#[tool("Add b to a.", register = false)]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool("Subtract b from a.", register = false)]
fn subtract(a: f64, b: f64) -> f64 {
    a - b
}

#[tool("Multiply a by b.", register = false)]
fn multiply(a: f64, b: f64) -> f64 {
    a * b
}

#[tool("Divide a by b.", register = false)]
fn divide(a: f64, b: f64) -> f64 {
    a / b
}

fn schema_bytes() {
    let by_hand = concat!(
        r#"{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"#,
        r#""required":["a","b"],"additionalProperties":false}"#
    );
    let tools = tools![add, subtract, multiply, divide];
    let sent: usize = tools.iter().map(|tool| tool.parameters().get().len()).sum();
    let (sent, least) = (sent / tools.len(), by_hand.len());
    let more = (sent as f64 / least as f64 - 1.0) * 100.0;
    println!("schema of a tool of the math agent: {sent} bytes, {more:+.0}% to {least} by hand");
}
