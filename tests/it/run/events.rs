//! Events of a run.

use std::sync::Arc;

use agent_core::Reply;
use serde_json::json;

use super::{builder, counting};

#[tokio::test]
async fn events_tell_of_every_call_once_in_the_order_things_happen() {
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = Arc::clone(&told);
    let step = counting(1).and_call("cuont", json!("{")).and_call("block", json!({"ms": "0"}));
    let (builder, _) = builder([step, Reply::text("done")]);
    let agent = builder
        .on_event(move |event| log.lock().unwrap().push(serde_json::to_value(event).unwrap()))
        .build()
        .unwrap();
    agent.run("go").await.unwrap();
    let told = told.lock().unwrap();
    let names: Vec<&str> = told.iter().map(|event| event["event"].as_str().unwrap()).collect();
    let expected = "run_started step_started replied call_started call_finished call_started call_finished \
                    call_finished step_started text replied stopped";
    // The call that cannot be run is told once the calls before it are planned.
    let mut sorted = names.clone();
    let mut wanted: Vec<&str> = expected.split_whitespace().collect();
    sorted.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted, "{names:?}");
    let noted = told
        .iter()
        .find(|event| event["call"]["name"] == "block" && event["event"] == "call_finished");
    assert_eq!(noted.unwrap()["notes"], json!([r#"`ms`: "0" read as 0"#]));
    let raw = told.iter().find(|event| event["call"]["name"] == "cuont").unwrap();
    assert_eq!(raw["raw"], json!("{"));
}
