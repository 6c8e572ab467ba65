//! Which model `ask` takes.

use agent_core::Reply;
use tests::server::{Answer, Script, Server};

use crate::desk::Desk;

/// The line that says which model is taken with these variables and options.
fn taken(variables: &[(&str, &str)], options: &[&str]) -> String {
    // Nothing is to be sent anywhere but here.
    let server = Server::start(Script::new(|_| Answer::reply(Reply::text("Yes."))));
    let address = server.address().to_string();
    let here = |text: &&str| text.replace("HERE", &address);
    let variables: Vec<(&str, String)> =
        variables.iter().map(|(name, value)| (*name, here(value))).collect();
    let variables: Vec<(&str, &str)> =
        variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let options: Vec<String> = options.iter().map(here).collect();
    let options = options.iter().map(String::as_str);
    let arguments: Vec<&str> = ["ask"].into_iter().chain(options).chain(["Is it?"]).collect();

    let desk = Desk::new();
    desk.write(
        "desk.toml",
        "name = \"desk\"\nkeyless = true\nmodel = \"small\"\nmodel_var = \"DESK_MODEL\"\n",
    );
    let done = desk.run_with(&variables, &arguments);
    assert_eq!(done.status, Some(0), "{done:?}");
    done.stderr.lines().next().unwrap().replace(&address, "HERE")
}

#[test]
fn the_environment_names_a_model_before_the_presets_and_the_presets_before_offline() {
    let own = [("LLM_BASE_URL", "http://HERE/v1"), ("LLM_MODEL", "mine"), ("LLM_API_KEY", "k")];
    let presets = [
        ("MISTRAL_API_KEY", "k"),
        ("MISTRAL_BASE_URL", "http://HERE"),
        ("DEEPSEEK_API_KEY", "k"),
        ("DEEPSEEK_BASE_URL", "http://HERE/v1/"),
        ("DEEPSEEK_MODEL", "ds"),
    ];
    let both = [&own[..], &presets[..]].concat();
    insta::assert_snapshot!(taken(&both, &[]), @"model: mine (custom; documents are sent to http://HERE/v1)");
    insta::assert_snapshot!(taken(&presets, &[]), @"model: ds (deepseek; documents are sent to http://HERE/v1)");
    insta::assert_snapshot!(taken(&presets[..2], &[]), @"model: mistral-small-latest (mistral; documents are sent to http://HERE)");
    let empty = [("DEEPSEEK_API_KEY", " ")];
    insta::assert_snapshot!(taken(&empty, &[]), @"model: offline (rules, no language model; nothing is sent)");
}

#[test]
fn an_option_goes_before_the_environment() {
    let own = [("LLM_BASE_URL", "http://127.0.0.1:9/v1"), ("LLM_API_KEY", "k")];
    insta::assert_snapshot!(taken(&own, &["--model", "offline"]), @"model: offline (rules, no language model; nothing is sent)");
    let here = ["--base-url", "http://HERE"];
    insta::assert_snapshot!(taken(&own, &here), @"model: default (custom; documents are sent to http://HERE)");
    let named = ["--model", "ollama:qwen3:8b", "--base-url", "HERE/v1"];
    insta::assert_snapshot!(taken(&own, &named), @"model: qwen3:8b (ollama; documents are sent to http://HERE/v1)");
    let profile = ["--profile", "desk.toml", "--base-url", "http://me:secret@HERE/v1?key=secret"];
    insta::assert_snapshot!(taken(&own, &profile), @"model: small (desk; documents are sent to http://HERE/v1)");
    let variable = [("DESK_MODEL", "large")];
    insta::assert_snapshot!(taken(&variable, &profile), @"model: large (desk; documents are sent to http://HERE/v1)");
    let both = [&["--model", "desk:huge"], &profile[..]].concat();
    insta::assert_snapshot!(taken(&variable, &both), @"model: huge (desk; documents are sent to http://HERE/v1)");
}

#[test]
fn what_names_no_model_is_wrong_usage() {
    let desk = Desk::new();
    desk.write("bad.toml", "name = \"desk\"\nmodle = \"small\"\n");
    desk.write("desk.toml", "name = \"desk\"\n");
    let mut errors = String::new();
    for options in [
        &["--model", "gpt"][..],
        &["--model", ""],
        &["--model", "openai"],
        &["--model", "vllm"],
        &["--model", "offline", "--base-url", "http://127.0.0.1:9"],
        &["--base-url", "ftp://127.0.0.1"],
        &["--profile", "desk.toml", "--model", "openai"],
    ] {
        errors += &desk.run(&[&["ask"], options, &["What?"]].concat()).failed(2);
    }
    errors += &desk.run(&["ask", "--profile", "missing.toml", "What?"]).failed(1);
    errors += &desk.run(&["ask", "--profile", "bad.toml", "What?"]).failed(1);
    insta::assert_snapshot!(errors, @r#"
    error: there is no preset `gpt`; take one of openai, anthropic, deepseek, dashscope, sjtu, openrouter, groq, mistral, gemini, ollama, llamacpp, vllm, or offline
    error: there is no preset ``; take one of openai, anthropic, deepseek, dashscope, sjtu, openrouter, groq, mistral, gemini, ollama, llamacpp, vllm, or offline
    error: `openai` needs a key; set OPENAI_API_KEY
    error: `vllm` has no model of its own; name one, --model vllm:NAME, or set VLLM_MODEL
    error: the model offline asks no server; leave out --base-url and --profile
    error: the base URL has the scheme `ftp`; write it like https://api.example.com/v1
    error: the file of --profile holds `desk`, not `openai`; write --model desk or leave it out
    error: cannot read missing.toml: No such file or directory (os error 2)
    error: cannot use the profile bad.toml: not a profile: line 2: there is no field `modle`, did you mean `model`? there are: name, protocol, base_url, key_vars, url_var, model_var, model, context_window, prices, keyless, dialect, structured_output, token_field, no_temperature, parallel_tool_calls, stream_usage, echo_reasoning, ids, system_first, user_after_tool, extra
    "#);
}
