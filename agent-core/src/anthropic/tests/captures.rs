//! What real servers sent, where `AGENT_TEST_WIRE` names a folder of captures.

use std::path::Path;

use serde_json::{Value, json};

use super::streaming::at_any_split;
use crate::anthropic::read;
use crate::model::{FinishReason, Reply};

#[test]
fn captures_of_real_servers_are_read() {
    let Some(folder) = std::env::var_os("AGENT_TEST_WIRE") else {
        return println!("skipped: AGENT_TEST_WIRE names no folder of captures");
    };
    let mut seen = 0;
    for server in std::fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.path().is_dir())
    {
        for file in std::fs::read_dir(server.path()).unwrap().flatten() {
            let name = file.file_name().into_string().unwrap();
            if let Some(case) = name.strip_prefix("x-messages")
                && let Some(reply) = captured(&file.path(), case)
            {
                check(&reply, case.starts_with("-tools"), &name);
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "there is no capture of this protocol");
}

/// The reply in a file; there is none in requests and notes.
fn captured(path: &Path, case: &str) -> Option<Reply> {
    let text = || std::fs::read_to_string(path).unwrap();
    if case.ends_with(".sse") {
        Some(at_any_split(&text()).reply.unwrap().unwrap())
    } else {
        case.ends_with(".response.json").then(|| read::reply(&text()).unwrap())
    }
}

fn check(reply: &Reply, tools: bool, name: &str) {
    assert!(reply.usage.prompt_tokens > 0 && reply.usage.completion_tokens > 0, "{name}");
    if tools {
        let [call] = &reply.tool_calls[..] else { panic!("{name}: {reply:?}") };
        let arguments: Value = serde_json::from_str(call.arguments.as_str().unwrap()).unwrap();
        assert_eq!(call.name, "get_weather", "{name}");
        assert_eq!(arguments, json!({"city": "Paris", "unit": "celsius"}), "{name}");
        assert!(!call.id.is_empty() && reply.finish == FinishReason::Stop, "{name}");
    } else {
        assert!(!reply.text.is_empty() && reply.tool_calls.is_empty(), "{name}");
        assert_eq!(reply.finish, FinishReason::Length, "{name}");
    }
}
