//! `tools`.

use serde_json::Value;

use crate::desk::Desk;

#[test]
fn each_tool_is_described_for_people() {
    let done = Desk::empty().run(&["tools"]);
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(done.stdout, @r"
    count_lines
      Count the lines of one docs file.

      path (string, required): File path, as list_docs or grep_docs print it.

    grep_docs
      Find the lines of all docs files that hold a keyword, as `path:line: text`. At most 20 are shown.

      keyword (string, required): A word or phrase as it stands in one line: no pattern, upper and lower case alike.

    list_docs
      List the docs files, one path a line. A long list comes in pages and says where to go on.

      start (integer, default 1): Which file to begin with, counted from 1.

    read_doc
      Read lines of one docs file, numbered. At most 80 lines a call.

      path (string, required): File path, as list_docs or grep_docs print it.
      start (integer, default 1): First line, counted from 1.
      end (integer, optional): Last line. Without it, the 80 lines from `start`.
    ");
}

#[test]
fn lint_has_nothing_to_say_of_the_docs_tools_in_any_dialect() {
    for dialect in ["json-schema", "openai-strict", "gemini"] {
        let done = Desk::empty().run(&["tools", "--lint", "--dialect", dialect]);
        let expected = (Some(0), "nothing to improve\n", "");
        assert_eq!(
            (done.status, done.stdout.as_str(), done.stderr.as_str()),
            expected,
            "{dialect}"
        );
    }
}

#[test]
fn json_is_the_list_of_what_the_model_is_told() {
    let done = Desk::new().run(&["tools", "--docs", "docs", "--json"]);
    assert_eq!(done.status, Some(0));
    let Value::Array(tools) = done.json() else { panic!("no list: {}", done.stdout) };
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["count_lines", "grep_docs", "list_docs", "read_doc"]);
    for tool in &tools {
        assert_eq!(tool.as_object().unwrap().len(), 5);
        assert!(tool["description"].is_string());
        assert_eq!(tool["parameters"]["type"], "object");
        assert_eq!(tool["annotations"]["read_only"], true);
        assert_eq!(tool["tags"][0], "docs");
    }
    assert!(done.stdout.find(r#""path":"#) < done.stdout.find(r#""start":"#));
}
