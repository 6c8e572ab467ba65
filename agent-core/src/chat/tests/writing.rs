//! Requests as profiles want them.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::chat::request::Common;
use crate::context::{Context, KeepNewest, Window};
use crate::message::{AssistantMessage, Message, ProviderData, ToolCall, ToolResult};
use crate::model::{ModelError, ModelState, Request, Settings};
use crate::profile::Profile;
use crate::schema::OutputSchema;
use crate::tool::Tool;
use crate::{Toolbox, tool, tools};

#[tool("Read a file.", register = false)]
fn read(path: &str, lines: u32) -> String {
    format!("{path} {lines}")
}

fn preset(name: &str) -> Profile {
    Profile::preset(name).unwrap().clone()
}

fn common(profile: Profile) -> Common {
    let model = profile.model.clone().unwrap_or_else(|| "m".to_owned());
    Common { profile: Arc::new(profile), model, stream: true, extra: Map::new() }
}

fn bytes(common: &Common, state: &mut ModelState, messages: &[Message], tools: &[Tool]) -> Vec<u8> {
    shaped(common, state, messages, tools, None).unwrap()
}

fn shaped(
    common: &Common,
    state: &mut ModelState,
    messages: &[Message],
    tools: &[Tool],
    output: Option<&OutputSchema>,
) -> Result<Vec<u8>, ModelError> {
    let mut request = Request {
        messages,
        tools,
        settings: &Settings { max_tokens: Some(9), ..Settings::default() },
        output,
        state,
        on_delta: &mut |_| {},
    };
    Ok(common.body(&mut request)?.to_vec())
}

fn body(profile: Profile, messages: &[Message], tools: &[Tool]) -> Value {
    let bytes = bytes(&common(profile), &mut ModelState::default(), messages, tools);
    serde_json::from_slice(&bytes).unwrap()
}

fn system(content: &str) -> Message {
    Message::System { content: content.into() }
}

fn user(content: &str) -> Message {
    Message::User { content: content.into() }
}

fn called(id: &str, reasoning: Option<&str>, data: Option<ProviderData>) -> Message {
    let (id, name) = (id.to_owned(), "read".to_owned());
    Message::Assistant(AssistantMessage {
        content: String::new(),
        reasoning: reasoning.map(str::to_owned),
        tool_calls: vec![ToolCall { id, name, arguments: Default::default() }],
        provider_data: data,
    })
}

fn result(id: &str) -> Message {
    let (call_id, name, content) = (id.to_owned(), "read".to_owned(), "text".to_owned());
    Message::Tool(ToolResult { call_id, name, content, is_error: false })
}

#[test]
fn a_request_is_as_the_protocol_has_it() {
    let messages = [system("Be brief."), user("Why?"), called("c1", None, None), result("c1")];
    let parameters: Value = serde_json::from_str(tools![read][0].parameters().get()).unwrap();
    let expected = json!({
        "model": "qwen-plus",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Why?"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "read", "arguments": "{}"}},
            ]},
            {"role": "tool", "tool_call_id": "c1", "content": "text"},
        ],
        "tools": [{"type": "function", "function": {
            "name": "read", "description": "Read a file.", "parameters": parameters,
        }}],
        "parallel_tool_calls": true,
        "temperature": 0,
        "max_tokens": 9,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    assert_eq!(body(preset("dashscope"), &messages, &tools![read]), expected);
}

#[test]
fn empty_arguments_go_back_as_an_object() {
    let body = body(preset("ollama"), &[user("?"), called("c1", None, None)], &[]);
    assert_eq!(body["messages"][1]["tool_calls"][0]["function"]["arguments"], "{}");
}

#[test]
fn without_tools_nothing_is_said_of_them() {
    let body = body(preset("openai"), &[user("?")], &[]);
    assert_eq!((body.get("tools"), body.get("parallel_tool_calls")), (None, None));
}

#[test]
fn reasoning_goes_back_with_calls() {
    let plain = Message::Assistant(AssistantMessage {
        content: "So.".into(),
        reasoning: Some("hm".into()),
        ..AssistantMessage::default()
    });
    let messages = [called("a", Some("hm"), None), called("b", None, None), plain];
    let echoed = |profile| {
        let body = body(profile, &messages, &[]);
        [0, 1, 2].map(|at| body["messages"][at].get("reasoning_content").cloned())
    };
    assert_eq!(echoed(preset("deepseek")), [Some(json!("hm")), Some(json!("")), None]);
    assert_eq!(echoed(preset("openai")), [None, None, None]);
}

#[test]
fn ids_are_as_the_profile_takes_them() {
    let long = "call_1__thought__".repeat(5);
    let messages = [
        called(&long, None, None),
        result(&long),
        called("abcDEF123", None, None),
        result("abcDEF123"),
    ];
    let ids = |profile| {
        let body = body(profile, &messages, &[]);
        let sent = [0, 2].map(|at| body["messages"][at]["tool_calls"][0]["id"].clone());
        let answered = [1, 3].map(|at| body["messages"][at]["tool_call_id"].clone());
        assert_eq!(sent, answered);
        sent.map(|id| id.as_str().unwrap().to_owned())
    };
    assert_eq!(ids(preset("gemini")), [long.as_str(), "abcDEF123"]);
    for name in ["mistral", "openai"] {
        let [mapped, kept] = ids(preset(name));
        assert_eq!((mapped.len(), kept.as_str()), (9, "abcDEF123"));
        assert!(mapped.chars().all(|c| c.is_ascii_alphanumeric()), "{mapped}");
    }
}

#[test]
fn a_question_after_results_is_led_in_where_it_must_be() {
    let roles = |profile, between: Option<Message>| {
        let mut messages = vec![called("abcDEF123", None, None), result("abcDEF123")];
        messages.extend(between);
        messages.push(user("And?"));
        let body = body(profile, &messages, &[]);
        let messages = body["messages"].as_array().unwrap().clone();
        messages.iter().map(|it| it["role"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let led_in = ["assistant", "tool", "assistant", "user"];
    assert_eq!(roles(preset("mistral"), None), led_in);
    assert_eq!(roles(preset("openai"), None), ["assistant", "tool", "user"]);
    // A reply of nothing is not sent, so it leads nothing in.
    let nothing = Message::Assistant(AssistantMessage::default());
    assert_eq!(roles(preset("mistral"), Some(nothing)), led_in);
}

#[test]
fn a_reply_of_nothing_is_not_sent() {
    let nothing = Message::Assistant(AssistantMessage::default());
    let body = body(preset("mistral"), &[user("a"), nothing, user("b")], &[]);
    assert_eq!(body["messages"].as_array().unwrap().len(), 2);
}

#[test]
fn no_tool_choice_is_sent() {
    for profile in Profile::presets() {
        assert_eq!(body(profile.clone(), &[user("?")], &tools![read]).get("tool_choice"), None);
    }
}

#[test]
fn strict_goes_with_the_strict_dialect() {
    let strict = |name: &str| {
        body(preset(name), &[user("?")], &tools![read])["tools"][0]["function"]
            .get("strict")
            .cloned()
    };
    assert_eq!(strict("openai"), Some(json!(true)));
    for name in ["ollama", "dashscope", "gemini", "vllm"] {
        assert_eq!(strict(name), None, "{name}");
    }
}

#[test]
fn instructions_are_one_message() {
    let messages = [system("a"), system("b"), user("?"), system("c")];
    let sent = |name: &str| body(preset(name), &messages, &[])["messages"].clone();
    let first =
        [json!({"role": "system", "content": "a\n\nb"}), json!({"role": "user", "content": "?"})];
    let last = |role: &str| json!({"role": role, "content": "c"});
    assert_eq!(sent("vllm"), json!([first[0], first[1], last("user")]));
    assert_eq!(sent("openai"), json!([first[0], first[1], last("system")]));
}

#[test]
fn what_a_provider_sent_goes_back_to_it_alone() {
    let data = json!({"tool_calls": [{"extra_content": {"google": {"thought_signature": "s"}}}]});
    let data = ProviderData { provider: "gemini".into(), data };
    let messages = [called("c1", None, Some(data))];
    let sent =
        |name: &str| body(preset(name), &messages, &[])["messages"][0]["tool_calls"][0].clone();
    assert_eq!(sent("gemini")["extra_content"]["google"]["thought_signature"], "s");
    assert_eq!(sent("openai").get("extra_content"), None);
}

#[test]
fn settings_are_as_the_model_takes_them() {
    let mut reasoning = common(preset("openai"));
    reasoning.model = "gpt-5-mini".into();
    reasoning.stream = false;
    reasoning.extra =
        Map::from_iter([("seed".into(), json!(1)), ("max_completion_tokens".into(), Value::Null)]);
    let sent = bytes(&reasoning, &mut ModelState::default(), &[user("?")], &[]);
    let sent: Value = serde_json::from_slice(&sent).unwrap();
    let expected = json!({
        "model": "gpt-5-mini", "messages": [{"role": "user", "content": "?"}], "stream": false, "seed": 1,
    });
    assert_eq!(sent, expected);
    let openai = body(preset("openai"), &[user("?")], &[]);
    assert_eq!(openai["max_completion_tokens"], 9);
}

#[derive(schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Place {
    country: String,
    people: Option<u32>,
}

#[test]
fn the_shape_of_the_answer_is_sent_in_the_profiles_dialect() {
    let sent = |profile: &str, output: &OutputSchema| {
        let common = common(preset(profile));
        let messages = [user("?")];
        let body = shaped(&common, &mut ModelState::default(), &messages, &[], Some(output));
        body.map(|body| serde_json::from_slice::<Value>(&body).unwrap()["response_format"].clone())
    };
    let place = OutputSchema::of::<Place>();
    let format = |people: Value, required: Value| {
        let schema = json!({
            "type": "object",
            "properties": {"country": {"type": "string"}, "people": people},
            "required": required,
            "additionalProperties": false,
        });
        json!({"type": "json_schema", "json_schema": {"name": "Place", "schema": schema, "strict": true}})
    };
    let plain = format(json!({"type": "integer", "minimum": 0}), json!(["country"]));
    assert_eq!(sent("vllm", &place).unwrap(), plain);
    let or_null = json!({"type": ["integer", "null"], "minimum": 0});
    let strict = format(or_null, json!(["country", "people"]));
    assert_eq!(sent("openai", &place).unwrap(), strict);
    let open = OutputSchema::of::<std::collections::BTreeMap<String, u8>>();
    assert_eq!(sent("openai", &open).unwrap()["json_schema"]["strict"], false);
    let error = sent("gemini", &open).unwrap_err().to_string();
    assert!(error.starts_with("the shape of the answer cannot be sent: `value` "), "{error}");
}

#[test]
fn asking_for_a_shape_leaves_what_is_kept_of_messages_as_it_is() {
    let (common, mut state) = (common(preset("openai")), ModelState::default());
    let messages = [user("a"), called("c1", None, None), result("c1")];
    let tools = tools![read];
    let before = bytes(&common, &mut state, &messages, &tools);
    let place = OutputSchema::of::<Place>();
    let asked = shaped(&common, &mut state, &messages, &tools, Some(&place)).unwrap();
    let fresh = shaped(&common, &mut ModelState::default(), &messages, &tools, Some(&place));
    assert_eq!(asked, fresh.unwrap());
    assert_eq!(bytes(&common, &mut state, &messages, &tools), before);
}

#[test]
fn servers_that_cannot_do_both_are_asked_for_a_shape_where_there_are_no_tools() {
    let able = |name: &str| {
        let profile = preset(name);
        [false, true].map(|with_tools| profile.holds_to_schema(with_tools))
    };
    assert_eq!(able("openai"), [true, true]);
    for name in ["mistral", "ollama", "llamacpp", "vllm"] {
        assert_eq!(able(name), [true, false], "{name}");
    }
    for name in ["deepseek", "dashscope", "sjtu", "openrouter", "groq", "gemini", "anthropic"] {
        assert_eq!(able(name), [false, false], "{name}");
    }
}

#[test]
fn a_message_is_encoded_once_and_a_later_request_begins_like_the_earlier() {
    let common = common(preset("deepseek"));
    let mut state = ModelState::default();
    let messages = [system("s"), user("a"), called("c1", None, None), result("c1"), user("b")];
    let tools = tools![read];
    let mut before: Vec<u8> = Vec::new();
    for count in 1..=messages.len() {
        let sent = bytes(&common, &mut state, &messages[..count], &tools);
        let fresh = bytes(&common, &mut ModelState::default(), &messages[..count], &tools);
        assert_eq!(sent, fresh);
        let start = before.windows(2).position(|it| it == b"],").unwrap_or_default();
        assert_eq!(sent[..start], before[..start]);
        before = sent;
    }
    let other = common_of_other(&mut state, &messages);
    assert!(String::from_utf8(other).unwrap().contains("mistral"), "bytes of another profile");
}

#[test]
fn a_request_after_a_cut_is_as_if_it_were_the_first() {
    let common = common(preset("openai"));
    let policy = Arc::new(KeepNewest::default());
    let window = Window::new(Some(1000), 0, policy, Arc::new(Toolbox::default()));
    let mut context = Context::new(Arc::new(window));
    let (mut messages, mut state, mut cuts) =
        (vec![system("Be brief."), user("Go.")], ModelState::default(), 0);
    for step in 0..100 {
        let (shown, report) = context.view(&messages);
        if report.is_some() {
            (state, cuts) = (ModelState::default(), cuts + 1);
        }
        let fresh = bytes(&common, &mut ModelState::default(), shown, &[]);
        assert_eq!(bytes(&common, &mut state, shown, &[]), fresh, "step {step}");
        let id = format!("c{step}");
        messages.extend([called(&id, Some(&"so ".repeat(100)), None), result(&id)]);
    }
    assert!((10..50).contains(&cuts), "{cuts} cuts");
}

fn common_of_other(state: &mut ModelState, messages: &[Message]) -> Vec<u8> {
    bytes(&common(preset("mistral")), state, messages, &[])
}
