//! What `--help` and `--version` print.

use crate::desk::Desk;

fn printed(arguments: &[&str]) -> String {
    let done = Desk::empty().run(arguments);
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    done.stdout
}

#[test]
fn the_command() {
    insta::assert_snapshot!(printed(&["--help"]));
}

#[test]
fn ask() {
    insta::assert_snapshot!(printed(&["ask", "--help"]));
}

#[test]
fn chat() {
    insta::assert_snapshot!(printed(&["chat", "--help"]));
}

#[test]
fn resume() {
    insta::assert_snapshot!(printed(&["resume", "--help"]));
}

#[test]
fn call() {
    insta::assert_snapshot!(printed(&["call", "--help"]));
}

#[test]
fn tools() {
    insta::assert_snapshot!(printed(&["tools", "--help"]));
}

#[test]
fn models() {
    insta::assert_snapshot!(printed(&["models", "--help"]));
}

#[test]
fn version() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(printed(&["--version"]), format!("docs-agent {version}\n"));
}
