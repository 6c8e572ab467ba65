//! `call`.

use crate::desk::Desk;

#[test]
fn the_result_is_printed_as_the_model_would_see_it() {
    let done = Desk::new().run(&["call", "grep_docs", r#"{"keyword":"BULB"}"#]);
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(done.stdout, @r"
    lamp.md:5: ## Replacing the bulb
    lamp.md:7: Turn the bulb to the left until it comes off.
    lamp.md:8: Only use bulbs of 5 watts.
    ");
}

#[test]
fn arguments_may_be_left_out() {
    for arguments in [&["call", "list_docs"][..], &["call", "list_docs", ""]] {
        let done = Desk::new().run(arguments);
        assert_eq!((done.status, done.stdout.as_str()), (Some(0), "guide/cleaning.md\nlamp.md\n"));
    }
}

#[test]
fn an_error_result_is_printed_like_any_other_and_gives_status_1() {
    let desk = Desk::new();
    let mut results = String::new();
    for arguments in [
        &["read_docs", r#"{"path":"lamp.md"}"#][..],
        &["read_doc", r#"{"path":"#],
        &["read_doc", "[1]"],
        &["read_doc"],
        &["read_doc", r#"{"path":"lamps.md"}"#],
        &["read_doc", r#"{"path":"../script.json"}"#],
    ] {
        let done = desk.run(&[&["call"], arguments].concat());
        assert_eq!((done.status, done.stderr.as_str()), (Some(1), ""));
        results += &done.stdout;
    }
    insta::assert_snapshot!(results, @r"
    error(unknown_tool): there is no tool `read_docs`; call one of: read_doc, grep_docs, list_docs, count_lines
    error(invalid_json): the arguments are not valid JSON: EOF while parsing a value at line 1 column 8; call again with one complete JSON object
    error(invalid_arguments): the arguments are a list; call again with one JSON object of named parameters
    error(invalid_arguments): `path`: missing, expected text; call again with these corrected (parameters: path, start, end)
    error(failed): not found: `lamps.md`; did you mean `lamp.md`? call again with that path, or call list_docs
    error(failed): the path is outside the docs folder: absolute paths, `..` and links are not followed; call list_docs and give a path as it prints it
    ");
}

#[test]
fn the_folder_is_chosen_with_docs() {
    let done = Desk::new().run(&["call", "--docs", "docs/guide", "list_docs"]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "cleaning.md\n"));
}
