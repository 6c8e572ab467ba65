//! A workspace of a user's own, with `agent-core` renamed and nothing else depended on but tokio.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn cargo(arguments: &[&str]) -> Output {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let outside = here.join("fixtures/outside");
    // The versions that were just built, so that nothing is looked for on a network.
    std::fs::copy(here.join("../Cargo.lock"), outside.join("Cargo.lock")).unwrap();
    let target: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--quiet", "--offline", "--target-dir"])
        .arg(target)
        .current_dir(outside)
        .output()
        .unwrap()
}

fn runs(profile: &[&str]) {
    let arguments: Vec<&str> = ["run", "-p", "app"].iter().chain(profile).copied().collect();
    let Output { status, stdout, stderr } = cargo(&arguments);
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{stderr}");
    assert_eq!(stderr, "", "no warnings");
    let expected = "add join more_of\nadd: 3\njoin: a-b\nmore_of: abab\ndone\n";
    assert_eq!(String::from_utf8_lossy(&stdout), expected);
}

/// One test, since the two would wait for each other's lock anyway.
#[test]
fn a_users_workspace_builds_without_warnings_and_finds_its_tools_in_debug_and_in_release_with_lto()
{
    runs(&[]);
    runs(&["--release"]);
}
