//! `ask` with a model behind a server.

use std::net::TcpListener;

use agent_core::Reply;
use serde_json::json;
use tests::server::{Answer, End, Server};

use crate::desk::{Desk, Done};

const KEY: &str = "SENTINEL-123";

fn replies() -> [Answer; 2] {
    let call = Reply::call("count_lines", json!({"path": "lamp.md"}));
    [Answer::reply(call), Answer::reply(Reply::text("It has 8 lines."))]
}

/// Asks the server, with a key in the environment and every record kept.
fn ask(desk: &Desk, server: &Server, options: &[&str]) -> Done {
    let variables = [("LLM_BASE_URL", &*server.url()), ("LLM_API_KEY", KEY), ("LLM_MODEL", "m")];
    let records = ["ask", "--transcript", "run.json", "--trace", "run.jsonl"];
    let arguments = [&records, options, &["How long is it?"]].concat();
    desk.run_with(&variables, &arguments)
}

#[test]
fn streamed_and_whole_replies_come_to_the_same() {
    for (options, streamed) in [(&[][..], true), (&["--no-stream"], false)] {
        let (desk, server) = (Desk::new(), Server::list(replies()));
        let done = ask(&desk, &server, options);
        assert_eq!((done.status, done.stdout.as_str()), (Some(0), "It has 8 lines.\n"), "{done:?}");
        let lines: Vec<&str> = done.stderr.lines().collect();
        let url = server.url();
        assert_eq!(lines[0], format!("model: m (custom; documents are sent to {url})"));
        assert!(lines[1].starts_with(r#"[step 1] count_lines({"path":"lamp.md"}) -> 8 ("#));
        assert!(lines[2].starts_with("[step 2] answer ("), "{lines:?}");
        assert_eq!(lines.len(), 3, "{lines:?}");

        let log = server.log();
        assert_eq!(log.refused, Vec::<String>::new());
        let asked: Vec<bool> =
            log.received.iter().map(|request| request.json()["stream"] == true).collect();
        assert_eq!(asked, [streamed; 2]);
    }
}

#[test]
fn a_key_is_sent_in_a_header_and_shown_nowhere() {
    let echo = format!("the key {KEY} is not known");
    let failed = Answer::error(401, "invalid_api_key", &echo);
    for (answers, status) in [(replies().to_vec(), 0), (vec![failed], 1)] {
        let (desk, server) = (Desk::new(), Server::list(answers));
        let done = ask(&desk, &server, &[]);
        assert_eq!(done.status, Some(status), "{done:?}");
        let records = [done.stdout, done.stderr, desk.read("run.json"), desk.read("run.jsonl")];
        assert!(!records.concat().contains(KEY), "{records:?}");
        for request in &server.log().received {
            assert_eq!(request.header("authorization"), Some(&*format!("Bearer {KEY}")));
            assert!(!String::from_utf8_lossy(&request.body).contains(KEY));
            assert!(!request.target.contains(KEY));
        }
    }
}

#[test]
fn a_model_that_fails_is_told_once_and_costs_nothing_that_was_done() {
    let [call, _] = replies();
    let too_long =
        Answer::error(400, "context_length_exceeded", "the prompt has 9 tokens too many");
    let (desk, server) = (Desk::new(), Server::list([call, too_long]));
    let stderr = ask(&desk, &server, &[]).failed(1);
    insta::assert_snapshot!(stderr.lines().last().unwrap(), @"error: the model did not answer: the server answered 400 Bad Request: the prompt has 9 tokens too many (context_length_exceeded); shorten the conversation, or take a model with a longer context");
    assert_eq!(stderr.matches("9 tokens").count(), 1);
    let roles: Vec<_> = desk.read_json("run.json").as_array().unwrap().clone();
    let roles: Vec<_> = roles.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool"]);
}

#[test]
fn a_key_that_is_refused_or_missing_is_told_with_its_variable() {
    let answer = || Answer::error(401, "invalid_api_key", "no such key");
    let (desk, server) = (Desk::new(), Server::list([answer(), answer()]));
    let url = server.url();
    let arguments = ["ask", "--model", "deepseek", "--base-url", &url, "What?"];
    let stderr = desk.run_with(&[("DEEPSEEK_API_KEY", KEY)], &arguments).failed(1);
    assert!(stderr.ends_with("; the key that was sent is that in DEEPSEEK_API_KEY\n"), "{stderr}");

    let stderr = desk.run(&["ask", "--base-url", &url, "What?"]).failed(1);
    assert!(stderr.ends_with("; no key was sent; set LLM_API_KEY\n"), "{stderr}");
    insta::assert_snapshot!(desk.run(&["ask", "--model", "deepseek", "What?"]).failed(2), @"error: `deepseek` needs a key; set DEEPSEEK_API_KEY");
}

#[test]
fn a_request_that_is_sent_again_is_told() {
    let busy = Answer::error(429, "rate_limit_error", "slow down").with_header("retry-after", "0");
    let [call, answer] = replies();
    let (desk, server) = (Desk::new(), Server::list([busy, call, answer]));
    let done = ask(&desk, &server, &[]);
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "It has 8 lines.\n"));
    let line = done.stderr.lines().nth(1).unwrap();
    let start =
        "[step 1] asking again in 0.0 ms: the server answered 429 Too Many Requests: slow down";
    assert!(line.starts_with(start), "{line}");
}

#[test]
fn a_local_server_that_does_not_run_is_told_with_how_to_start_it() {
    let desk = Desk::new();
    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}/v1");
    let stderr = desk.run(&["ask", "--model", "ollama", "--base-url", &url, "What?"]).failed(1);
    let error = stderr.lines().last().unwrap();
    assert!(error.starts_with("error: the model did not answer: "), "{error}");
    assert!(error.contains("Connection refused"), "{error}");
    assert!(error.ends_with("; is the server running? start it with `ollama serve`"), "{error}");
}

#[test]
fn a_stream_that_dies_is_an_error_and_prints_no_half_answer() {
    let half = Answer::reply(Reply::text("It has 8 lines, or more.")).cut_at(300, End::Reset);
    let (desk, server) =
        (Desk::new(), Server::list([half.clone(), half.clone(), half.clone(), half]));
    let stderr =
        ask(&desk, &server, &["--model", "llamacpp:m", "--base-url", &server.url()]).failed(1);
    assert!(
        stderr.lines().last().unwrap().starts_with("error: the model did not answer: "),
        "{stderr}"
    );
}
