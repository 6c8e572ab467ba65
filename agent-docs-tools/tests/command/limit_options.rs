//! `--limits` and the options that go before it.

use agent_core::Reply;
use serde_json::{Value, json};
use tests::server::{Answer, End, Server};

use crate::desk::{Desk, calls, says};

fn grep(number: usize) -> Value {
    calls("grep_docs", &json!({"keyword": format!("word {number}")}).to_string())
}

#[test]
fn a_file_sets_limits_and_an_option_goes_before_it() {
    let desk = Desk::new();
    desk.write("limits.toml", "max_steps = 2\nmax_tool_calls = 3\n");
    desk.script((0..9).map(grep));
    let ask = ["ask", "--script", "script.json", "--limits", "limits.toml"];
    let stderr = desk.run(&[&ask[..], &["What?"]].concat()).failed(3);
    assert!(stderr.contains("max_steps (2 steps, "), "{stderr}");
    let stderr = desk.run(&[&ask[..], &["--max-steps", "7", "What?"]].concat()).failed(3);
    assert!(stderr.contains("max_tool_calls (4 steps, "), "{stderr}");
}

#[test]
fn what_is_no_limit_is_an_error_that_names_file_and_line() {
    let desk = Desk::new();
    desk.write("misspelt.toml", "max_steps = 2\nmax_calls = 3\n");
    desk.write("zero.toml", "max_steps = 0\n");
    desk.write("time.toml", "\n\ndeadline = \"soon\"\n");
    let mut errors = String::new();
    for file in ["misspelt.toml", "zero.toml", "time.toml", "missing.toml"] {
        let stderr = desk.run(&["ask", "--limits", file, "What?"]).failed(1);
        // Which limits there are is told after that.
        errors += stderr.split(" there are: ").next().unwrap().trim_end();
        errors += "\n";
    }
    for options in [
        ["--token-budget", "0"],
        ["--deadline", "soon"],
        ["--tool-timeout", "0s"],
        ["--daily-budget", "100"],
        ["--budget-file", "budget.json"],
    ] {
        let stderr = desk.run(&[&["ask"], &options[..], &["What?"]].concat()).failed(2);
        errors += stderr.lines().next().unwrap();
        errors += "\n";
    }
    insta::assert_snapshot!(errors, @r#"
    error: cannot use the limits in misspelt.toml: no limits: line 2: there is no field `max_calls`, did you mean `max_tool_calls`?
    error: cannot use the limits in zero.toml: the limit max_steps cannot be 0; it is at least 1
    error: cannot use the limits in time.toml: no limits: line 3: `soon` is no time (expected number at 0); write one like "90s"
    error: cannot read missing.toml: No such file or directory (os error 2)
    error: invalid value '0' for '--token-budget <N>': give a whole number of tokens, 1 or more
    error: invalid value 'soon' for '--deadline <TIME>': give a time like 90s, 5m or "2m 30s"
    error: invalid value '0s' for '--tool-timeout <TIME>': give a time like 90s, 5m or "2m 30s"
    error: --daily-budget needs a file to count in; name it with --budget-file
    error: --budget-file needs a budget; set the tokens of a day with --daily-budget
    "#);
}

fn answer(tokens: u64) -> Answer {
    let mut call = Reply::call("count_lines", json!({"path": "lamp.md"}));
    call.usage.prompt_tokens = tokens;
    Answer::reply(call)
}

#[test]
fn tokens_and_time_stop_a_run() {
    let desk = Desk::new();
    let server = Server::list([answer(1_000)]);
    let url = server.url();
    let ask = ["ask", "--base-url", &url];
    let budget = ["--token-budget", "1_000", "What?"];
    let stderr = desk.run(&[&ask[..], &budget].concat()).failed(3);
    assert!(stderr.contains("token_budget (1 step, "), "{stderr}");
    assert!(stderr.ends_with("; raise --token-budget or ask a narrower question\n"), "{stderr}");

    let server = Server::list([Answer::nothing(End::Stall)]);
    let url = server.url();
    let ask = ["ask", "--base-url", &url];
    let stderr = desk.run(&[&ask[..], &["--deadline", "200ms", "What?"]].concat()).failed(3);
    assert!(
        stderr.ends_with("deadline (0 steps, 0 tool calls); give it more time with --deadline\n"),
        "{stderr}"
    );
}

#[test]
fn processes_share_the_budget_of_a_day() {
    let desk = Desk::new();
    let mut reply = Reply::text("Yes.");
    reply.usage.prompt_tokens = 1_000;
    let server = Server::list([Answer::reply(reply)]);
    let url = server.url();
    let ask = ["ask", "--base-url", &url, "--daily-budget", "1000", "--budget-file", "budget.json"];
    let arguments = [&ask[..], &["Is it?"]].concat();
    assert_eq!(desk.run(&arguments).stdout, "Yes.\n");
    let stderr = desk.run(&arguments).failed(3);
    assert!(stderr.contains("stopped without an answer: daily_budget (0 steps, "), "{stderr}");
    desk.write("budget.json", "{");
    let stderr = desk.run(&arguments).failed(1);
    assert!(stderr.contains("budget.json"), "{stderr}");
}

#[test]
fn the_cost_is_told_where_the_model_has_prices() {
    let desk = Desk::new();
    desk.write(
        "dear.toml",
        "name = \"dear\"\nkeyless = true\nmodel = \"m\"\nprices = { input = 100, output = 200 }\n",
    );
    let reply = || {
        let mut reply = Reply::text("Yes.");
        (reply.usage.prompt_tokens, reply.usage.completion_tokens) = (1_000, 10);
        Answer::reply(reply)
    };
    let server = Server::list([reply(), reply()]);
    let url = server.url();
    let model = ["--profile", "dear.toml", "--base-url", &url];
    let done = desk.run(&[&["ask", "--json"], &model[..], &["Is it?"]].concat());
    assert_eq!(done.json()["cost_usd"], json!(0.102), "{done:?}");
    let done = desk.run_piped(&[&["chat"], &model[..]].concat(), "Is it?\n/usage\n");
    let cost = "1010 tokens: 1000 of requests, 0 of them cached, and 10 of replies\n$0.1020\n";
    assert!(done.stdout.ends_with(cost), "{done:?}");
    desk.script([says("Yes.")]);
    let done = desk.run(&["ask", "--json", "--script", "script.json", "Is it?"]);
    assert!(done.json().get("cost_usd").is_none(), "{done:?}");
}
