//! Nothing a model can pass to a tool shows it a file outside the folder.

use proptest::prelude::*;

use super::*;
use crate::corpus::Docs;
use crate::corpus::fixture::Fixture;

/// In every file that no tool may show, and in nothing else.
const SECRET: &str = "XYZZY-SECRET";

fn hostile_tree() -> Fixture {
    let fixture = Fixture::new()
        .file("a.md", "public text\n")
        .file("sub/b.md", "public text\n")
        .file("%2e%2e/c.md", "public text\n")
        .file("...md", SECRET)
        .file(".hidden.md", SECRET)
        .file(".git/config.md", SECRET)
        .file("plain.txt", SECRET)
        .file("LICENSE.md", SECRET)
        .file("bin.md", format!("{SECRET}\0"))
        .outside_file("secret.md", SECRET)
        .outside_file("sub/secret.md", SECRET);
    let (file, folder) = (fixture.outside("secret.md"), fixture.outside(""));
    fixture
        .link("link.md", &file)
        .link("relative.md", "../outside/secret.md")
        .link("chain.md", "link.md")
        .link("dir", &folder)
        .link("sub/dir.md", &folder)
        .link("up", "..")
        .link("root", "/")
        .link("self", ".")
        .link("loop.md", "loop.md")
        .link("hidden.md", ".hidden.md")
        .link("zero.md", "/dev/zero")
        .pipe("pipe.md")
}

/// A path put together from what has led out of folders before.
fn hostile_path(fixture: &Fixture) -> impl Strategy<Value = String> + use<> {
    let absolute = fixture.outside("secret.md").display().to_string();
    let root = fixture.inside("").display().to_string();
    let known = [
        "a.md",
        "sub",
        "b.md",
        "link.md",
        "relative.md",
        "chain.md",
        "dir",
        "dir.md",
        "up",
        "root",
        "self",
        "loop.md",
        "hidden.md",
        "zero.md",
        "pipe.md",
        ".hidden.md",
        ".git",
        "config.md",
        "plain.txt",
        "LICENSE.md",
        "bin.md",
        "...md",
        "outside",
        "docs",
        "secret.md",
        "secret",
        "*.md",
        "..",
        ".",
        "",
        " ",
        "...",
        "\0",
        "%2e%2e",
        "%2f",
        "..%2f",
        "C:",
        "~",
        "\u{202e}",
        "\u{2215}",
        "\u{ff0e}\u{ff0e}",
        "é",
        "e\u{301}",
        "\n",
        "nul",
        "file:",
    ];
    let component = prop_oneof![
        8 => prop::sample::select(known.map(str::to_owned).to_vec()),
        1 => prop::sample::select(vec![absolute, root]),
        1 => any::<String>(),
        1 => (1..5000usize).prop_map(|n| "a".repeat(n)),
    ];
    let separator = prop::sample::select(vec!["/", "/", "/", "//", "\\", "/./", "", "\0"]);
    prop::collection::vec((component, separator), 1..6).prop_map(|parts| {
        parts
            .into_iter()
            .flat_map(|(component, separator)| [component, separator.to_owned()])
            .collect()
    })
}

/// What each tool says of a path, or of a keyword that looks like one.
fn all_results(docs: &Docs, path: &str, start: u32, end: Option<u32>) -> Vec<String> {
    let counted = count_lines(docs, path).map(|lines| lines.to_string());
    [list_docs(docs, start), grep_docs(docs, path), read_doc(docs, path, start, end), counted]
        .map(|result| result.unwrap_or_else(|error| error.to_string()))
        .into()
}

#[test]
fn no_path_shows_what_is_outside() {
    let fixture = hostile_tree();
    let docs = fixture.docs();
    let paths = hostile_path(&fixture);
    proptest!(|(path in paths, start in 0..3u32, end in prop::option::of(0..4u32))| {
        for result in all_results(&docs, &path, start, end) {
            prop_assert!(!result.replace(&path, "").contains(SECRET), "{path:?}: {result}");
        }
        if docs.read(&path).is_ok() {
            let plain: Vec<&str> =
                path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
            prop_assert!(docs.list().paths.contains(&plain.join("/")), "{path:?} is not listed");
        }
    });
}

#[test]
fn no_search_shows_what_is_outside() {
    let fixture = hostile_tree();
    let docs = fixture.docs();
    for keyword in [SECRET, "xyzzy", "-", "SECRET"] {
        let result = grep_docs(&docs, keyword).unwrap();
        assert!(result.starts_with("no line holds"), "{result}");
    }
    assert_eq!(docs.list().paths, ["%2e%2e/c.md", "a.md", "bin.md", "sub/b.md"]);
}

#[test]
fn every_way_out_gives_the_same_error_in_every_tool() {
    let fixture = hostile_tree();
    let docs = fixture.docs();
    let absolute = fixture.outside("secret.md").display().to_string();
    let expected = docs.read("..").unwrap_err().to_string();
    assert!(expected.contains("outside the docs folder"));
    for path in [
        "../outside/secret.md",
        "../outside/missing.md",
        "sub/../../outside/secret.md",
        "link.md",
        "dir/secret.md",
        "dir/missing.md",
        "sub/dir.md/secret.md",
        "/etc/hostname",
        "/no/such",
        &absolute,
        "up/outside/secret.md",
        "root/etc/hostname",
        "self/a.md",
        "loop.md",
        "zero.md",
        r"..\outside\secret.md",
    ] {
        assert_eq!(read_doc(&docs, path, 1, None).unwrap_err().to_string(), expected, "{path}");
        assert_eq!(count_lines(&docs, path).unwrap_err().to_string(), expected, "{path}");
    }
}
