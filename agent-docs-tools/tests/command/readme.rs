//! The README shows what the command prints.

use std::path::Path;
use std::process::Command;

/// Set to write the README anew: `UPDATE_README=1 cargo test -p agent-docs-tools readme`.
const UPDATE: &str = "UPDATE_README";

#[test]
fn the_main_job_of_the_readme_prints_what_the_readme_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let path = root.join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once("$ cargo run --locked -p agent-docs-tools -- ").unwrap();
    let (arguments, rest) = rest.split_once('\n').unwrap();
    let (shown, after) = rest.split_once("```\n\nRun all tests").unwrap();

    let question = arguments.split('"').nth(1).unwrap();
    assert_eq!(arguments, format!("ask --model offline \"{question}\""));
    let output = Command::new(env!("CARGO_BIN_EXE_docs-agent"))
        .args(["ask", "--model", "offline", question])
        .current_dir(root)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    if std::env::var_os(UPDATE).is_some() {
        let command = format!("$ cargo run --locked -p agent-docs-tools -- {arguments}\n");
        std::fs::write(&path, format!("{before}{command}{printed}```\n\nRun all tests{after}"))
            .unwrap();
    } else {
        assert_eq!(
            printed, shown,
            "write it anew: {UPDATE}=1 cargo test -p agent-docs-tools readme"
        );
    }
}
