use super::fixture::Fixture;
use super::*;

fn listed(docs: &Docs) -> Vec<String> {
    docs.list().paths
}

fn refused(docs: &Docs, path: &str) -> DocsError {
    docs.read(path).expect_err(path)
}

/// The paths of the documents in which a search finds something.
fn found(docs: &Docs, keyword: &str) -> Vec<String> {
    docs.search(keyword, 20).unwrap().files.into_iter().map(|file| file.path).collect()
}

#[test]
fn the_list_is_sorted_by_path_components() {
    let fixture = Fixture::new()
        .file("b.md", "")
        .file("a.md", "")
        .file("a/z.md", "")
        .file("a/b/c.md", "")
        .file("a-b/c.md", "");
    assert_eq!(listed(&fixture.docs()), ["a/b/c.md", "a/z.md", "a-b/c.md", "a.md", "b.md"]);
}

#[test]
fn ignore_files_are_not_honoured() {
    let fixture = Fixture::new()
        .file(".gitignore", "*.md")
        .file(".ignore", "*.md")
        .file(".git/HEAD", "")
        .file("a.md", "");
    assert_eq!(listed(&fixture.docs()), ["a.md"]);
}

#[test]
fn what_is_not_listed_is_neither_searched_nor_read() {
    let fixture = Fixture::new()
        .file("a.md", "needle")
        .file(".hidden.md", "needle")
        .file(".git/b.md", "needle")
        .file("notes.txt", "needle")
        .file("LICENSE.md", "needle")
        .file("sub/LICENSE.md", "needle");
    let docs = fixture.docs();
    assert_eq!(listed(&docs), ["a.md"]);
    assert_eq!(found(&docs, "needle"), ["a.md"]);
    for path in [".hidden.md", ".git/b.md", "notes.txt", "LICENSE.md", "sub/LICENSE.md", ".git"] {
        assert!(matches!(refused(&docs, path), DocsError::NotADoc { .. }), "{path}");
    }
}

#[test]
fn a_hidden_path_gives_the_same_error_whether_or_not_it_exists() {
    let fixture = Fixture::new().file(".git/b.md", "");
    let docs = fixture.docs();
    let there = refused(&docs, ".git/b.md").to_string();
    assert_eq!(there.replace("b.md", "c.md"), refused(&docs, ".git/c.md").to_string());
}

#[test]
fn globs_widen_the_documents_in_every_way_alike() {
    let fixture = Fixture::new()
        .file("a.md", "needle")
        .file("b.txt", "needle")
        .file(".c.txt", "needle")
        .file("drafts/d.md", "needle")
        .file("e.rst", "needle")
        .file("LICENSE.md", "needle");
    let docs = fixture.docs().with_globs(["*.txt", "!drafts/"]).unwrap();
    assert_eq!(listed(&docs), ["a.md", "b.txt"]);
    assert_eq!(found(&docs, "needle"), ["a.md", "b.txt"]);
    assert!(docs.read("b.txt").is_ok());
    assert!(matches!(refused(&docs, "drafts/d.md"), DocsError::NotADoc { .. }));

    let everything = fixture.docs().with_globs(["*"]).unwrap();
    assert_eq!(listed(&everything), ["a.md", "b.txt", "drafts/d.md", "e.rst"]);
}

#[test]
fn a_glob_that_cannot_be_read_is_an_error() {
    let fixture = Fixture::new();
    let docs = fixture.docs();
    assert!(matches!(docs.with_globs(["a{"]), Err(DocsError::Glob { .. })));
}

#[test]
fn a_folder_that_cannot_be_opened_is_an_error() {
    let fixture = Fixture::new().file("a.md", "");
    for path in ["missing", "a.md"] {
        assert!(matches!(Docs::open(fixture.inside(path)), Err(DocsError::Open { .. })), "{path}");
    }
}

#[test]
fn a_folder_is_not_read_as_a_document() {
    let fixture = Fixture::new().file("sub/a.md", "").file("dir.md/b.md", "");
    let docs = fixture.docs();
    for path in ["sub", "sub/", "dir.md", ".", "", "./sub"] {
        assert!(matches!(refused(&docs, path), DocsError::Folder { .. }), "{path}");
    }
    assert_eq!(listed(&docs), ["dir.md/b.md", "sub/a.md"]);
}

#[test]
fn what_does_not_exist_is_not_found() {
    let fixture = Fixture::new().file("guide/limits.md", "");
    let docs = fixture.docs();
    let long = "a".repeat(100_000);
    for path in ["guide/limit.md", "guide/limits.md/x.md", "no/such.md", r"guide\limits.md", &long]
    {
        assert!(matches!(refused(&docs, path), DocsError::NotFound { .. }), "{path}");
    }
    let message = refused(&docs, "guide/limit.md").to_string();
    assert!(message.contains("`guide/limits.md`"), "{message}");
    assert!(refused(&docs, &long).to_string().chars().count() < 400);
}

#[test]
fn binary_documents_are_refused_and_counted() {
    let fixture = Fixture::new()
        .file("a.md", "needle")
        .file("b.md", b"needle\n\0")
        .file("utf16.md", b"\xFF\xFEn\0e\0e\0d\0l\0e\0");
    let docs = fixture.docs();
    assert!(matches!(refused(&docs, "b.md"), DocsError::Binary { .. }));
    let search = docs.search("needle", 20).unwrap();
    assert_eq!((search.files.len(), search.searched, search.skipped.binary), (1, 1, 2));
}

#[test]
fn documents_over_the_size_limit_are_refused_and_counted() {
    let fixture = Fixture::new().file("big.md", "");
    std::fs::File::options()
        .write(true)
        .open(fixture.inside("big.md"))
        .and_then(|file| file.set_len(MAX_DOC_BYTES + 1))
        .unwrap();
    let docs = fixture.docs();
    assert!(refused(&docs, "big.md").to_string().contains("over 16 MiB"));
    assert_eq!(docs.search("x", 20).unwrap().skipped.too_large, 1);
}

#[test]
fn a_byte_order_mark_is_not_shown() {
    let fixture = Fixture::new().file("a.md", "\u{FEFF}# Title\n");
    let docs = fixture.docs();
    assert_eq!(docs.read("a.md").unwrap().lines_after(0).next().unwrap().text, "# Title");
    assert_eq!(docs.search("# title", 20).unwrap().files[0].hits[0].text, "# Title");
}

#[test]
fn search_ignores_case_in_every_script() {
    let fixture = Fixture::new().file("a.md", "Straße\nÉTÉ\nПривет\n");
    let docs = fixture.docs();
    for keyword in ["STRAße", "été", "ПРИВЕТ"] {
        assert_eq!(found(&docs, keyword), ["a.md"], "{keyword}");
    }
}

#[test]
fn a_keyword_is_taken_literally() {
    let keywords = ["foo(", "a|b", "x*", "[1]", r"\", ".", "$", "^", "(?i)", "q?"];
    let fixture = Fixture::new().file("a.md", keywords.join("\n"));
    let docs = fixture.docs();
    for (line, keyword) in (1..).zip(keywords) {
        let search = docs.search(keyword, 20).unwrap();
        let lines: Vec<u64> = search.files[0].hits.iter().map(|hit| hit.line).collect();
        assert_eq!(lines, [line], "{keyword}");
    }
}

#[test]
fn a_keyword_that_cannot_be_searched_for_is_an_error() {
    let fixture = Fixture::new().file("a.md", "");
    let docs = fixture.docs();
    let refused = |keyword: &str| docs.search(keyword, 20).unwrap_err();
    assert!(matches!(refused(""), DocsError::EmptyKeyword));
    assert!(matches!(refused(" \t"), DocsError::EmptyKeyword));
    assert!(matches!(refused("a\nb"), DocsError::KeywordLineBreak));
    assert!(matches!(refused(&"é".repeat(201)), DocsError::KeywordTooLong { chars: 201, .. }));
    assert!(docs.search(&"é".repeat(200), 20).is_ok());
    assert!(docs.search("\0", 20).unwrap().files.is_empty());
}

#[test]
fn all_matching_lines_are_counted_and_the_first_are_shown() {
    let fixture = Fixture::new().file("a.md", "x x\n".repeat(15)).file("b.md", "x\n".repeat(15));
    let docs = fixture.docs();
    let search = docs.search("x", 20).unwrap();
    let counts: Vec<_> = search.files.iter().map(|file| (file.lines, file.hits.len())).collect();
    assert_eq!(counts, [(15, 15), (15, 5)]);
}

#[cfg(unix)]
mod on_unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn links_are_never_followed_and_counted() {
        let fixture = Fixture::new().file("a.md", "needle").outside_file("secret.md", "needle");
        let (file, folder) = (fixture.outside("secret.md"), fixture.outside(""));
        let fixture = fixture
            .link("ok.md", "a.md")
            .link("out.md", file)
            .link("dir", &folder)
            .link("up", "..")
            .link("dangling.md", "nowhere")
            .link("zero.md", "/dev/zero")
            .link(".hidden", folder);
        let docs = fixture.docs();
        assert_eq!(listed(&docs), ["a.md"]);
        assert_eq!(docs.list().skipped, Skipped { links: 6, ..Skipped::default() });
        assert_eq!(found(&docs, "needle"), ["a.md"]);
        for path in [
            "ok.md",
            "out.md",
            "dir",
            "dir/secret.md",
            "dir/no.md",
            "up/outside/secret.md",
            "dangling.md",
            "zero.md",
        ] {
            assert!(matches!(refused(&docs, path), DocsError::Outside), "{path}");
        }
    }

    #[test]
    fn the_folder_itself_may_be_given_by_a_link() {
        let fixture = Fixture::new().file("real/a.md", "").link("link", "real");
        assert_eq!(listed(&Docs::open(fixture.inside("link")).unwrap()), ["a.md"]);
    }

    #[test]
    fn pipes_are_refused_at_once_and_counted() {
        let fixture = Fixture::new().file("a.md", "needle").pipe("pipe.md").pipe("pipe");
        let docs = fixture.docs();
        for path in ["pipe.md", "pipe"] {
            assert!(matches!(refused(&docs, path), DocsError::NotRegular { .. }), "{path}");
        }
        assert_eq!(found(&docs, "needle"), ["a.md"]);
        assert_eq!(docs.list().skipped.special, 1);
    }

    #[test]
    fn files_whose_names_cannot_be_written_as_a_path_are_counted() {
        let fixture = Fixture::new().file("a\nb.md", "").file(r"a\b.md", "").file("ok ü.md", "");
        std::fs::write(fixture.inside("").join(OsStr::from_bytes(b"\xE9.md")), "").unwrap();
        let listing = fixture.docs().list();
        assert_eq!(listing.paths, ["ok ü.md"]);
        assert_eq!(listing.skipped.unnameable, 3);
    }

    #[test]
    fn what_is_not_listed_for_its_name_is_not_read_either() {
        let long = format!("{}a.md", format!("{}/", "é".repeat(99)).repeat(10));
        let fixture = Fixture::new()
            .file(r"we\ird.md", "needle")
            .file(r"we\ird/a.md", "needle")
            .file(&long, "needle")
            .file(long.strip_prefix("é").unwrap(), "")
            .file(long.strip_prefix("éééé").unwrap(), "needle");
        let docs = fixture.docs();
        assert_eq!(listed(&docs), [long.strip_prefix("éééé").unwrap()]);
        assert_eq!(found(&docs, "needle"), listed(&docs));
        assert_eq!(docs.list().skipped.unnameable, 4);
        for path in [r"we\ird.md", r"./we\ird.md", r"we\ird/a.md", &long] {
            assert!(matches!(refused(&docs, path), DocsError::UnusualName { .. }), "{path}");
        }
        assert!(docs.read(&format!(".//{}", listed(&docs)[0])).is_ok());
    }

    #[test]
    fn a_document_swapped_for_a_link_while_it_is_read_leads_nowhere() {
        let fixture = Fixture::new().file("sub/a.md", "public").outside_file("sub/a.md", "secret");
        let docs = fixture.docs();
        let (folder, parked) = (fixture.inside("sub"), fixture.inside("parked"));
        let swap = || {
            std::fs::rename(&folder, &parked).unwrap();
            std::os::unix::fs::symlink(fixture.outside("sub"), &folder).unwrap();
            std::fs::remove_file(&folder).unwrap();
            std::fs::rename(&parked, &folder).unwrap();
        };
        std::thread::scope(|scope| {
            let swapping = scope.spawn(|| (0..2000).for_each(|_| swap()));
            while !swapping.is_finished() {
                if let Ok(text) = docs.read("sub/a.md") {
                    assert_eq!(text.lines_after(0).next().unwrap().text, "public");
                }
                assert!(docs.search("secret", 20).unwrap().files.is_empty());
            }
        });
    }
}
