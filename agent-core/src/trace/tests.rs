use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Event, Masks};
use crate::message::{ToolCall, ToolResult};
use crate::{Agent, Message, Reply, ScriptedModel, ToolError, Toolbox, tool, tools};

#[tool("Log in.", register = false)]
fn log_in(user: String, #[arg(secret)] password: String) -> Result<String, ToolError> {
    match user.as_str() {
        "root" => Err(ToolError::fatal(format!("{user} cannot log in with {password}"))),
        _ => Ok(format!("{user} gave {password}")),
    }
}

#[tool("Send a text.", register = false)]
fn send(text: Value) -> String {
    text.to_string()
}

fn masks(patterns: &[&str]) -> Masks {
    Masks::new(Toolbox::new(tools![log_in, send]).unwrap(), patterns).unwrap()
}

fn call(name: &str, arguments: Value) -> ToolCall {
    serde_json::from_value(json!({"id": "1", "name": name, "arguments": arguments})).unwrap()
}

/// What is shown of a result of `log_in` with this password.
fn shown(password: impl Into<Value>, content: &str) -> String {
    let call = call("log_in", json!({"user": "ann", "password": password.into()}));
    masks(&[]).result(&call, &result(content)).content
}

fn result(content: &str) -> ToolResult {
    let (call_id, name) = ("1".to_owned(), "log_in".to_owned());
    ToolResult { call_id, name, content: content.to_owned(), is_error: false }
}

fn arguments(masks: &Masks, call: &ToolCall) -> Value {
    serde_json::to_value(&masks.call(call).arguments).unwrap()
}

#[test]
fn a_secret_is_masked_as_an_argument_and_in_the_result() {
    let login = call("log_in", json!({"user": "ann", "password": "hunter2"}));
    assert_eq!(arguments(&masks(&[]), &login), json!({"user": "ann", "password": "***"}));
    assert_eq!(shown("hunter2", "ann gave hunter2, hunter2!"), "ann gave ***, ***!");
    let sent = call("send", json!({"text": "hunter2"}));
    assert_eq!(masks(&[]).call(&sent), sent);
}

#[test]
fn a_secret_under_a_misspelt_name_is_masked_too() {
    let misspelt = call("log_in", json!({"user": "ann", "pasword": "hunter2"}));
    assert_eq!(arguments(&masks(&[]), &misspelt), json!({"user": "ann", "pasword": "***"}));
    assert_eq!(masks(&[]).result(&misspelt, &result("hunter2")).content, "***");
    let unknown = call("login", json!({"user": "ann", "password": "hunter2"}));
    assert_eq!(arguments(&masks(&[]), &unknown), json!({"user": "***", "password": "***"}));
    let open = Masks::new(Toolbox::new(tools![send]).unwrap(), None::<&str>).unwrap();
    assert_eq!(open.call(&unknown), unknown);
}

#[test]
fn a_secret_is_found_however_it_is_written_in_the_result() {
    for (password, content, expected) in [
        (json!({"keys": ["alpha", {"k": "omega"}]}), "alpha and omega", "*** and ***"),
        (json!("{\"keys\": [\"alpha\"]}"), "alpha", "***"),
        (json!(77123), "it is 77123", "it is ***"),
        (json!(4711.0), "it is 4711", "it is ***"),
        (json!("4711.0"), "it is 4711", "it is ***"),
        (json!(" 4711 "), "it is 4711", "it is ***"),
        (json!("a\"b\n\""), r#"{"p":"a\"b\n\""}"#, r#"{"p":"***"}"#),
        (json!("a\u{1}b"), "\"a\\u{1}b\"", "\"***\""),
        (json!(["abc", "abcdef", "defghi"]), "abcdefghi abc", "*** ***"),
    ] {
        assert_eq!(shown(password.clone(), content), expected, "{password}");
    }
}

#[test]
fn a_secret_that_was_cut_is_masked_up_to_the_cut() {
    assert_eq!(shown("correct horse", "it is correct h… now"), "it is ***… now");
    let content = "it is cor\n[cut: the first 9 of 19 characters are shown]";
    let expected = "it is ***\n[cut: the first 9 of 19 characters are shown]";
    assert_eq!(shown("correct horse", content), expected);
}

#[test]
fn a_secret_too_short_to_be_one_leaves_results_readable() {
    for password in [json!("1"), json!(""), json!(12), json!(true), json!(null), json!("é1")] {
        let text = "page 1 of 12, é1 true null";
        assert_eq!(shown(password.clone(), text), text);
        let login = call("log_in", json!({"user": "1", "password": password}));
        assert_eq!(arguments(&masks(&[]), &login), json!({"user": "1", "password": "***"}));
    }
    assert_eq!(shown("123", "page 123"), "page ***");
}

#[test]
fn patterns_mask_the_values_of_arguments_at_any_depth() {
    let masks = masks(&["sk-[a-z0-9]+", r"\b\d{16}\b"]);
    let text = json!({
        "sk-name": ["use sk-1, sk-2", {"deep": "sk-3."}, 4111111111111111_u64, 12, null],
    });
    let masked = json!({"sk-name": ["use ***, ***", {"deep": "***."}, "***", 12, null]});
    let sent = call("send", json!({ "text": text }));
    assert_eq!(arguments(&masks, &sent), json!({ "text": masked }));
    let content = "sk-5 4111111111111111 5";
    assert_eq!(masks.result(&sent, &result(content)).content, "*** *** 5");
}

#[test]
fn patterns_and_secrets_that_overlap_leave_nothing_of_either() {
    let masks = masks(&["sk-[a-z]{5}", "tail$"]);
    let login = call("log_in", json!({"user": "ann", "password": "the sk-abcde"}));
    let text = |content: &str| masks.result(&login, &result(content)).content;
    assert_eq!(text("<the sk-abcde>"), "<***>");
    assert_eq!(text("the sk-abcdetail"), "***");
    assert_eq!(text("cut: sk-fghij"), "cut: ***");
}

#[test]
fn what_a_pattern_matched_is_masked_also_where_a_report_cuts_it() {
    let key = format!("sk-{}", "a".repeat(60));
    let sent = call("send", json!({ "text": key }));
    let masks = masks(&["sk-a{60}"]);
    let report = format!("`text`: expected an integer, got \"{}…", &key[..59]);
    let expected = "`text`: expected an integer, got \"***…";
    assert_eq!(masks.result(&sent, &result(&report)).content, expected);
}

#[test]
fn a_pattern_that_cannot_mask_is_refused_when_the_agent_is_built() {
    let wrong = |pattern: &str| {
        let agent = Agent::builder().model(ScriptedModel::new([])).tools([]).mask(pattern);
        agent.build().unwrap_err().to_string()
    };
    let error = wrong("sk-[a-z");
    assert!(error.starts_with("the mask `sk-[a-z` is no regular expression: "), "{error}");
    let expected = "the mask `a*` matches the empty text; write what is to be masked";
    assert_eq!(wrong("a*"), expected);
    assert_eq!(masks(&[r"\b"]).text("a b"), "a b");
}

#[tokio::test]
async fn no_event_shows_what_is_masked_and_the_model_sees_all_of_it() {
    let told = Arc::new(Mutex::new(String::new()));
    let log = Arc::clone(&told);
    let agent = Agent::builder()
        .model(ScriptedModel::new([
            Reply::call("send", json!({"text": ["sk-SENTINEL", 1]})),
            Reply::call("send", json!("{\"text\": \"sk-SENTINEL")),
            Reply::call("send", json!({"text": "x", "sk-": "sk-SENTINEL"})),
            Reply::call("lgoin", json!({"password": "SENTINEL"})),
            Reply::call("log_in", json!({"user": "ann", "password": "SENTINEL"})),
            Reply::call("log_in", json!({"user": "root", "password": "SENTINEL"})),
        ]))
        .tools(tools![log_in, send])
        .mask("sk-[A-Z]+")
        .on_event(move |event: &Event| {
            log.lock().unwrap().push_str(&serde_json::to_string(event).unwrap());
        })
        .build()
        .unwrap();
    let run = agent.run("go").await.unwrap_err().into_run();
    let told = told.lock().unwrap();
    assert!(!told.contains("SENTINEL"), "{told}");
    assert!(told.contains("ended the run: root cannot log in with ***"), "{told}");
    let messages = run.transcript().messages();
    let results = messages.iter().filter_map(|message| match message {
        Message::Tool(result) => Some(result.content.as_str()),
        _ => None,
    });
    let results: Vec<&str> = results.collect();
    assert_eq!((results[0], results[4]), (r#"["sk-SENTINEL",1]"#, "ann gave SENTINEL"));
}

proptest! {
    #[test]
    fn no_text_shows_a_secret_or_a_match_whatever_is_around_them(
        password in "[a-c]{3,8}",
        pieces in prop::collection::vec("[a-c]{0,4}|k[0-9]{2}|é|…|\"", 0..12),
        ends in any::<bool>(),
    ) {
        let mut content = pieces.concat();
        if ends {
            content += &password;
        }
        let masks = masks(&["k[0-9]+"]);
        let login = call("log_in", json!({"user": "u", "password": password}));
        let shown = masks.result(&login, &result(&content)).content;
        prop_assert!(!shown.contains(&password), "{shown}");
        prop_assert!(!shown.contains('k'), "{shown}");
        let kept: String = shown.split("***").collect();
        prop_assert!(kept.chars().count() <= content.chars().count());
        // Nothing but what is masked is lost.
        if !content.contains(['k', '…']) && !content.contains(&password) {
            prop_assert_eq!(shown, content);
        }
    }
}
