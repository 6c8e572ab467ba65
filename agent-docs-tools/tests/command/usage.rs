//! Wrong usage: status 2, and what to type instead.

use crate::desk::Desk;

#[test]
fn a_folder_that_is_not_there_is_wrong_usage() {
    let desk = Desk::empty();
    desk.write("file.txt", "");
    let mut errors = String::new();
    for arguments in [
        &["ask", "What?"][..],
        &["call", "list_docs"],
        &["ask", "--docs", "missing", "What?"],
        &["ask", "--docs", "file.txt", "What?"],
        &["tools", "--docs", "missing"],
    ] {
        errors += &desk.run(arguments).failed(2);
    }
    insta::assert_snapshot!(errors, @r"
    error: there is no folder ./docs here; name the folder of documents with --docs DIR
    error: there is no folder ./docs here; name the folder of documents with --docs DIR
    error: cannot open the docs folder missing: No such file or directory (os error 2); give --docs a folder that can be read
    error: cannot open the docs folder file.txt: Not a directory (os error 20); give --docs a folder that can be read
    error: cannot open the docs folder missing: No such file or directory (os error 2); give --docs a folder that can be read
    ");
}

#[test]
fn what_makes_no_run_is_wrong_usage() {
    let desk = Desk::new();
    let mut errors = String::new();
    for arguments in [
        &["ask", ""][..],
        &["ask", "  "],
        &["ask", "--max-steps", "0", "What?"],
        &["ask", "--max-steps", "many", "What?"],
        &["ask", "--model", "gpt", "What?"],
        &["ask", "--glob", "{a", "What?"],
        &["ask", "--model", "offline", "--script", "script.json", "What?"],
        &["ask", "--max-step", "2", "What?"],
        &["ask"],
        &["tell", "What?"],
    ] {
        errors += &desk.run(arguments).failed(2);
        errors += "----\n";
    }
    insta::assert_snapshot!(errors, @r#"
    error: invalid value '' for '<QUESTION>': the question is empty; write what you want to know

    For more information, try '--help'.
    ----
    error: invalid value '  ' for '<QUESTION>': the question is empty; write what you want to know

    For more information, try '--help'.
    ----
    error: invalid value '0' for '--max-steps <N>': give a whole number of steps, 1 or more

    For more information, try '--help'.
    ----
    error: invalid value 'many' for '--max-steps <N>': give a whole number of steps, 1 or more

    For more information, try '--help'.
    ----
    error: there is no preset `gpt`; take one of openai, anthropic, deepseek, dashscope, sjtu, openrouter, groq, mistral, gemini, ollama, llamacpp, vllm, or offline
    ----
    error: a file pattern cannot be read: error parsing glob '{a': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?); write a --glob like "*.txt" or "/notes/*.txt"
    ----
    error: the argument '--model <PRESET[:NAME]>' cannot be used with '--script <FILE>'

    Usage: docs-agent ask --model <PRESET[:NAME]> <QUESTION>

    For more information, try '--help'.
    ----
    error: unexpected argument '--max-step' found

      tip: a similar argument exists: '--max-steps'

    Usage: docs-agent ask --max-steps <N> <QUESTION>

    For more information, try '--help'.
    ----
    error: the following required arguments were not provided:
      <QUESTION>

    Usage: docs-agent ask <QUESTION>

    For more information, try '--help'.
    ----
    error: unrecognized subcommand 'tell'

    Usage: docs-agent <COMMAND>

    For more information, try '--help'.
    ----
    "#);
}

#[test]
fn the_command_alone_shows_its_help() {
    let desk = Desk::new();
    assert_eq!(desk.run(&[]).failed(2), desk.run(&["--help"]).stdout);
}

#[test]
fn an_error_quotes_nothing_that_drives_a_terminal() {
    let desk = Desk::new();
    desk.script([serde_json::json!({"role": "\u{1b}[2Jrobot", "content": "Yes."})]);
    let role = desk.run(&["ask", "--script", "script.json", "What?"]).failed(1);
    let path = desk.run(&["ask", "--continue", "\u{1b}[2Jrun.json", "What?"]).failed(1);
    for (stderr, quoted) in [(role, "[2Jrobot"), (path, "[2Jrun.json")] {
        assert!(stderr.contains(quoted) && !stderr.contains('\u{1b}'), "{stderr:?}");
    }
}
