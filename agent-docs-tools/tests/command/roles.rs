//! `--role`: the tools of a role.

use crate::desk::{Desk, calls, says};

const ROLES: &str =
    "[reader]\ntags = [\"docs\"]\ndeny = [\"grep_docs\"]\nneeds_approval = [\"read_doc\"]\n";
const READER: [&str; 4] = ["--roles", "roles.toml", "--role", "reader"];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("roles.toml", ROLES);
    desk
}

#[test]
fn a_tool_that_the_role_does_not_have_is_not_there() {
    let desk = desk();
    let tools = desk.run(&[&["tools"], &READER[..]].concat()).stdout;
    assert!(tools.contains("list_docs") && !tools.contains("grep_docs\n"), "{tools}");

    desk.script([calls("grep_docs", r#"{"keyword":"cloth"}"#), says("Done.")]);
    let done = desk.run(&[&["ask", "--script", "script.json"], &READER[..], &["How?"]].concat());
    assert_eq!(done.status, Some(0));
    assert!(
        done.stderr.contains("-> error(unknown_tool): there is no tool `grep_docs`"),
        "{done:?}"
    );

    let done =
        desk.run(&[&["call"], &READER[..], &["grep_docs", r#"{"keyword":"cloth"}"#]].concat());
    assert_eq!(done.status, Some(1));
    assert!(done.stdout.starts_with("error(unknown_tool)"), "{done:?}");
    let done = desk.run_piped(&[&["chat"], &READER[..]].concat(), "/tools\n");
    assert_eq!(done.stdout, tools);
}

#[test]
fn a_call_waits_that_the_role_says_it_of() {
    let desk = desk();
    let read = r#"{"path":"lamp.md","end":1}"#;
    desk.script([calls("read_doc", read), says("Done.")]);
    let done = desk.run(&[&["ask", "--script", "script.json"], &READER[..], &["How?"]].concat());
    assert!(done.stderr.contains("-> error(denied): "), "{done:?}");
    let done = desk.run(&[&["call"], &READER[..], &["read_doc", read]].concat());
    assert_eq!(done.status, Some(1));
    assert!(done.stdout.starts_with("error(denied)"), "{done:?}");
}

#[test]
fn what_gives_no_tools_is_an_error_that_names_file_and_line() {
    let desk = desk();
    desk.write("misspelt.toml", "[reader]\ntag = [\"docs\"]\n");
    desk.write("unknown.toml", "[reader]\nnames = [\"read_docs\"]\n");
    let mut errors = String::new();
    for (roles, role, status) in [
        ("misspelt.toml", "reader", 1),
        ("unknown.toml", "reader", 1),
        ("roles.toml", "raeder", 1),
        ("missing.toml", "reader", 1),
    ] {
        errors += &desk.run(&["tools", "--roles", roles, "--role", role]).failed(status);
    }
    insta::assert_snapshot!(errors, @"
    error: cannot use the roles in misspelt.toml: not roles: line 2: there is no field `tag`, did you mean `tags`? there are: tags, names, deny, needs_approval
    error: cannot use the roles in unknown.toml: the role `reader`: there is no tool `read_docs`, did you mean `read_doc`? there are: count_lines, grep_docs, list_docs, read_doc
    error: cannot use the roles in roles.toml: there is no role `raeder`, did you mean `reader`? there are: reader
    error: cannot read missing.toml: No such file or directory (os error 2)
    ");
    desk.run(&["tools", "--roles", "roles.toml"]).failed(2);
    desk.run(&["ask", "--role", "reader", "How?"]).failed(2);
}
