//! What the compiler says of misused `#[tool]`s: `ui/*.rs`, with its words beside each, and the
//! table of all in `ui/README.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const README: &str = include_str!("../ui/README.md");
const DOCUMENTATION: &str = include_str!("../../agent-macros/src/tool.md");
/// The section of the table whose cases check nothing else than the others.
const ALL_AT_ONCE: &str = "## All at once";

/// To take over new words: `TRYBUILD=overwrite cargo test -p tests --test it ui::`, then read them.
#[rustversion::attr(not(stable(1.95)), ignore = "the compiler's own words are those of 1.95")]
#[test]
fn each_misuse_is_told_what_to_write_instead() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}

/// The rows of all tables in a text, without their heads.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = lines.map(|line| line.split(" | ").map(str::trim).collect::<Vec<_>>());
    rows.filter(|row| !["case", "refused"].contains(&row[0])).collect()
}

/// The errors that the compiler prints for a case, each by its first line.
fn errors(case: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui").join(case).with_extension("stderr");
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| line.starts_with("error")).map(str::to_owned).collect()
}

#[test]
fn each_case_is_in_the_table_with_its_number_of_errors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let programs = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let programs: BTreeSet<String> =
        programs.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    let rows = rows(README);
    let listed: BTreeSet<String> = rows.iter().map(|row| row[0].to_owned()).collect();
    assert_eq!(listed, programs);
    assert_eq!(rows.len(), programs.len(), "a case is in the table twice");
    assert!(programs.len() >= 50);
    for row in rows {
        let [case, check, count] = row.as_slice() else { panic!("{row:?}") };
        let errors = errors(case);
        assert_eq!(*count, errors.len().to_string(), "{case} ({check}): {errors:#?}");
    }
}

#[test]
fn no_two_cases_are_told_the_same_by_the_macro() {
    let (single, _) = README.split_once(ALL_AT_ONCE).unwrap();
    let mut seen = BTreeMap::new();
    for row in rows(single) {
        // The compiler's own errors have a code, and say little before their notes.
        let own = errors(row[0]).into_iter().filter(|error| error.starts_with("error: "));
        for message in own {
            let other = seen.insert(without_names(&message), row[0].to_owned());
            assert_eq!(other, None, "{} is a variant: {message}", row[0]);
        }
    }
}

/// The message with `` for each name in it that is not one of the macro's own words.
fn without_names(message: &str) -> String {
    let own = |quoted: &str| quoted.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let parts = message.split('`').enumerate();
    parts.map(|(place, part)| if place % 2 == 1 && !own(part) { "" } else { part }).collect()
}

#[test]
fn the_documentation_of_the_attribute_lists_every_check_with_its_error() {
    let (_, refused) = DOCUMENTATION.split_once("# What is refused").unwrap();
    let documented: BTreeMap<&str, &str> =
        rows(refused).into_iter().map(|row| (row[0], row[1].trim_matches('`').trim())).collect();
    let (single, _) = README.split_once(ALL_AT_ONCE).unwrap();
    let cases = rows(single);
    let tested: BTreeSet<&str> = cases.iter().map(|row| row[1]).collect();
    assert_eq!(documented.keys().copied().collect::<BTreeSet<_>>(), tested);
    for row in cases {
        let (first, documented) = (&errors(row[0])[0], documented[row[1]]);
        // Of the longest messages the documentation has the beginning.
        let said = first.split_once(": ").unwrap().1.trim_start_matches("evaluation panicked: ");
        assert!(said.starts_with(documented), "{}: `{documented}` is not `{said}`", row[0]);
    }
}
