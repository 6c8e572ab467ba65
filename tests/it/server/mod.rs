//! The scripted server: what it refuses, in both protocols, and how it misbehaves.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests may fail like the tests themselves"
)]

mod chat;
mod messages;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use agent_core::model::FinishReason;
use agent_core::{Reply, Usage};
use serde_json::{Value, json};
use tests::server::{Answer, End, Script, Server};

const CHAT: &str = "/v1/chat/completions";
const MESSAGES: &str = "/v1/messages";

/// Sends bytes, and reads until the server closes the connection.
fn exchange(server: &Server, request: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(server.address())?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(request)?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response)?;
    Ok(response)
}

fn request(path: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
         anthropic-version: 2023-06-01\r\nx-api-key: k\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// What the server answers to a body: the status and the rest.
fn post(server: &Server, path: &str, body: &[u8]) -> (u16, String) {
    parts(&exchange(server, &request(path, body)).unwrap())
}

fn parts(response: &[u8]) -> (u16, String) {
    let text = String::from_utf8_lossy(response).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn friendly() -> Server {
    Server::start(Script::new(|_| Answer::reply(Reply::text("Hello."))))
}

/// One change to a valid request, and what the server says to it.
type Case = (&'static str, Value, &'static str);

/// Puts `value` at a JSON pointer; one that ends in `/-` inserts at the front of a list, and `null`
/// removes a field.
fn changed(mut request: Value, pointer: &str, value: &Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match request.pointer_mut(parent).unwrap() {
        Value::Object(map) if value.is_null() => drop(map.remove(key)),
        Value::Object(map) => drop(map.insert(key.to_owned(), value.clone())),
        Value::Array(list) if key == "-" => list.insert(0, value.clone()),
        Value::Array(list) if value.is_null() => drop(list.remove(key.parse().unwrap())),
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
        other => panic!("{other} has no parts"),
    }
    request
}

fn each_is_refused(path: &str, valid: &Value, cases: &[Case]) {
    let server = friendly();
    let (status, body) = post(&server, path, valid.to_string().as_bytes());
    assert_eq!((status, body.contains("Hello.")), (200, true), "{body}");
    for (pointer, value, says) in cases {
        let request = changed(valid.clone(), pointer, value);
        let (status, body) = post(&server, path, request.to_string().as_bytes());
        let message = serde_json::from_str::<Value>(&body).unwrap()["error"]["message"].to_string();
        assert_eq!(status, 400, "{pointer} = {value} is taken");
        let says = says.replace('"', "\\\"");
        assert!(message.contains(&says), "{pointer} = {value}: {message} does not say {says}");
    }
    assert_eq!(server.log().refused.len(), cases.len());
}

#[test]
fn it_refuses_what_is_no_strict_json() {
    let server = friendly();
    let lone = chat::request().to_string().replace("Sure?", r"\ud83d");
    for (path, body) in
        [(CHAT, lone.as_bytes()), (CHAT, b"{\"model\": \"\xff\"}"), (CHAT, b""), (MESSAGES, b"[}")]
    {
        let (status, body) = post(&server, path, body);
        assert_eq!(status, 400, "{body}");
    }
}

#[test]
fn it_refuses_requests_without_the_headers_of_their_protocol() {
    let server = friendly();
    let text = |path| String::from_utf8(request(path, b"{}")).unwrap();
    for (request, status) in [
        (text(CHAT).replace("POST", "PUT"), 400),
        (text(CHAT).replace("application/json", "text/plain"), 400),
        (text(MESSAGES).replace("anthropic-version", "version"), 400),
        (text(MESSAGES).replace("x-api-key", "key"), 401),
    ] {
        assert_eq!(parts(&exchange(&server, request.as_bytes()).unwrap()).0, status, "{request}");
    }
}

#[test]
fn it_takes_the_extensions_it_is_told_to_take() {
    let extensions = &["reasoning_content", "top_k"];
    let script = Script::new(|_| Answer::reply(Reply::text("Hello."))).with_extensions(extensions);
    let server = Server::start(script);
    let request = changed(chat::request(), "/messages/2/reasoning_content", &json!("hm"));
    let request = changed(request, "/top_k", &json!(1));
    assert_eq!(post(&server, CHAT, request.to_string().as_bytes()).0, 200);
}

#[test]
fn a_reply_takes_the_form_that_was_asked_for() {
    let usage = Usage { prompt_tokens: 10, completion_tokens: 3, cached_tokens: 4 };
    let mut reply = Reply::text("Let me see.").and_call("add", json!({"a": 1})).with_usage(usage);
    reply.reasoning = Some("hm".to_owned());
    reply.finish = FinishReason::Length;
    let server = Server::start(Script::new(move |_| Answer::reply(reply.clone())));
    for (path, request, end) in
        [(CHAT, chat::request(), "[DONE]"), (MESSAGES, messages::request(), "message_stop")]
    {
        let (_, whole) = post(&server, path, request.to_string().as_bytes());
        let whole: Value = serde_json::from_str(&whole).unwrap();
        says_all(&whole);
        let request = changed(request, "/stream", &json!(true));
        let (_, events) = post(&server, path, request.to_string().as_bytes());
        assert!(events.contains(end) && events.ends_with("0\r\n\r\n"), "{events}");
    }
}

/// Both forms say what the reply says.
fn says_all(whole: &Value) {
    let text = whole.to_string();
    for said in ["Let me see.", "add", "hm", "tokens"] {
        assert!(text.contains(said), "{text}");
    }
}

const HEAD: usize = "HTTP/1.1 200 Scripted\r\ncontent-type: t\r\ncontent-length: 10\r\n\r\n".len();

fn body() -> Answer {
    Answer::body(200, "t", "0123456789")
}

#[test]
fn an_answer_comes_late_in_pieces_and_in_part() {
    let server = Server::list([
        body().after(Duration::from_millis(50)),
        body().split_at(3),
        body().dripping(1, Duration::from_millis(5)),
        body().cut_at(4, End::Close),
        Answer::events("data: 1\n\n").cut_at(6, End::Close),
        Answer::garbage("what?"),
        Answer::nothing(End::Close),
        Answer::error(503, "overloaded", "later").with_header("retry-after", "1"),
    ]);
    let ask = || {
        let start = Instant::now();
        let response = exchange(&server, &request("/", b"")).unwrap();
        (String::from_utf8(response).unwrap(), start.elapsed())
    };
    let (late, time) = ask();
    assert!(late.ends_with("\r\n\r\n0123456789") && time >= Duration::from_millis(50), "{late}");
    assert!(ask().0.ends_with("\r\n\r\n0123456789"));
    let (dripped, time) = ask();
    assert!(dripped.ends_with("0123456789") && time >= Duration::from_millis(45), "{dripped}");
    assert_eq!(ask().0.len(), HEAD + 4);
    assert!(ask().0.ends_with("\r\n\r\n6\r\ndata: \r\n"));
    assert_eq!(ask().0, "what?");
    assert_eq!(ask().0, "");
    let (error, _) = ask();
    assert!(error.contains("503 ") && error.contains("retry-after: 1"), "{error}");
    assert!(ask().0.contains("the script has run out"));
    assert_eq!(server.log().received.len(), 9);
    assert_eq!(server.log().left, 0);
}

#[tokio::test]
async fn it_resets_connections_and_sees_clients_leave() {
    let server = Server::list([
        body().cut_at(4, End::Reset),
        Answer::nothing(End::Reset),
        body().cut_at(4, End::Stall),
        Answer::nothing(End::Stall),
    ]);
    for read in [HEAD + 4, 0] {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(&request("/", b"")).unwrap();
        let mut got = vec![0; read];
        stream.read_exact(&mut got).unwrap();
        let error = stream.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    }
    for (left, read) in [(1, HEAD + 4), (2, 0)] {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(&request("/", b"")).unwrap();
        stream.read_exact(&mut vec![0; read]).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        assert!(stream.read(&mut [0]).is_err(), "silence was due");
        drop(stream);
        server.until(|log| log.left == left).await.unwrap();
    }
}
