//! Real traffic of real servers, where a folder of it is at hand.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{pieces, whole};
use crate::http::reported;
use crate::model::FinishReason;

#[test]
fn every_capture_is_read() {
    let Some(folder) = std::env::var_os("AGENT_TEST_WIRE").map(PathBuf::from) else {
        return println!("skipped: AGENT_TEST_WIRE names no folder of captures");
    };
    let mut read = 0;
    for server in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        for file in fs::read_dir(&server).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            read += usize::from(is_chat(&file) && check(&file));
        }
    }
    assert!(read > 50, "only {read} captures were found");
}

/// Whether a file holds an answer to a request for a chat completion.
fn is_chat(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some(case) = name.strip_suffix(".sse").or_else(|| name.strip_suffix(".response.json"))
    else {
        return false;
    };
    let meta = fs::read_to_string(file.with_file_name(format!("{case}.meta.json"))).unwrap();
    let meta: Value = serde_json::from_str(&meta).unwrap();
    meta["path"].as_str().is_some_and(|path| path.ends_with("/chat/completions"))
}

fn check(file: &Path) -> bool {
    let shown = file.display();
    let body = fs::read(file).unwrap();
    let is_stream = file.extension().is_some_and(|extension| extension == "sse");
    let value: Option<Value> = serde_json::from_slice(&body).ok();
    if let Some(error) = value.as_ref().and_then(reported) {
        assert!(error.in_body().to_string().len() > 20, "{shown}");
        return true;
    }
    let reply = if is_stream && value.is_none() {
        let reply = pieces(&[&body]).1;
        let slowly = pieces(&body.chunks(1).collect::<Vec<_>>()).1;
        assert_eq!(format!("{reply:?}"), format!("{slowly:?}"), "{shown}");
        reply
    } else {
        whole(std::str::from_utf8(&body).unwrap())
    };
    let reply = reply.unwrap_or_else(|error| panic!("{shown}: {error}"));
    let empty = reply.text.is_empty() && reply.tool_calls.is_empty();
    assert!(!empty || shown.to_string().contains("mock-llm"), "{shown}: {reply:?}");
    for call in &reply.tool_calls {
        let arguments: Result<Value, _> =
            serde_json::from_str(call.arguments.as_str().unwrap_or_default());
        let is_whole = reply.finish != FinishReason::Length;
        assert!(!call.name.is_empty() && !call.id.is_empty(), "{shown}: {call:?}");
        assert!(!is_whole || arguments.is_ok_and(|it| it.is_object()), "{shown}: {call:?}");
    }
    true
}
