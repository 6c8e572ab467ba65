//! Files that are damaged, edited or of another version.

use std::time::Duration;

use agent_core::agent::SavedRun;
use agent_core::{Limits, Reply, Transcript};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{agent, builder, waiting};

/// What reading and restoring say.
fn error_of(saved: Value) -> String {
    match serde_json::from_value::<SavedRun>(saved) {
        Ok(saved) => agent([]).restore(saved).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_file_is_said() {
    let saved = waiting().await;
    type Edit = fn(&mut Value);
    let edits: [(Edit, &str); 10] = [
        (
            |saved| saved["version"] = json!(2),
            "it was saved in the form of version 2, and this program reads version 1; go on from it \
             with the program that saved it",
        ),
        (|saved| drop(saved.as_object_mut().unwrap().remove("version")), "missing field `version`"),
        (|saved| saved["vesion"] = json!(1), "unknown field `vesion`"),
        (|saved| saved["driven_ms"] = json!(-1), "a time is 0 milliseconds or more"),
        (|saved| saved["machine"]["state"] = json!("resting"), "unknown variant `resting`"),
        (
            |saved| drop(saved["machine"]["transcript"].as_array_mut().unwrap().remove(1)),
            "message 1 of the transcript: the result of `c00000001` answers no call",
        ),
        (
            |saved| drop(saved["machine"]["transcript"].as_array_mut().unwrap().pop()),
            "message 2 of the transcript: the result of call `c00000001` is due here",
        ),
        (
            |saved| saved["machine"]["state"]["tools"]["calls"] = json!(["waiting"]),
            "not the state of a run: the calls of its last reply and what became of them differ in \
             number",
        ),
        (
            |saved| {
                let turn = &mut saved["machine"]["state"]["tools"];
                (turn["calls"], turn["message"]["tool_calls"]) = (json!([]), json!([]));
            },
            "not the state of a run: ",
        ),
        (
            |saved| {
                let turn = &mut saved["machine"]["state"]["tools"];
                turn["message"]["tool_calls"][0]["id"] = json!("c00000001");
            },
            "not the state of a run: message 3 of the transcript: the call id `c00000001` is empty \
             or occurs twice",
        ),
    ];
    for (edit, expected) in edits {
        let mut edited = saved.clone();
        edit(&mut edited);
        let error = error_of(edited);
        assert!(error.starts_with(expected), "{error}\nis not\n{expected}");
    }
}

#[tokio::test]
async fn a_file_that_was_cut_off_is_refused_wherever_it_was() {
    let json = waiting().await.to_string();
    for end in 0..json.len() {
        let Some(cut) = json.get(..end) else { continue };
        serde_json::from_str::<SavedRun>(cut).unwrap_err();
    }
}

/// Every place in a value, as a path.
fn places(value: &Value, path: &str, into: &mut Vec<String>) {
    into.push(path.to_owned());
    match value {
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                places(item, &format!("{path}/{place}"), into);
            }
        }
        Value::Object(entries) => {
            entries.iter().for_each(|(key, value)| places(value, &format!("{path}/{key}"), into));
        }
        _ => {}
    }
}

fn anything() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("c00000001"),
        json!("look"),
        json!("waiting"),
        json!("model"),
        json!("wrap_up"),
        json!({"stopped": "answered"}),
        json!([]),
        json!({}),
        json!({"approved": {"asked": {}, "run": {"n": "x"}}}),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_is_refused_or_gives_a_run_that_ends_with_a_valid_transcript(
        damage in prop::collection::vec((any::<prop::sample::Index>(), anything()), 1..3),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut saved = waiting().await;
            for (place, value) in damage {
                let mut paths = Vec::new();
                places(&saved, "", &mut paths);
                let path: &String = place.get(&paths);
                *saved.pointer_mut(path).unwrap() = value;
            }
            let deadline = Some(Duration::from_secs(5));
            let agent = builder((0..30).map(|n| Reply::call("look", json!({ "n": n }))))
                .limits(Limits { deadline, max_steps: 20, ..Limits::default() })
                .build()
                .unwrap();
            let Ok(saved) = serde_json::from_value::<SavedRun>(saved) else { return };
            let Ok(mut run) = agent.restore(saved) else { return };
            drop(run.drive().await);
            run.ask("and now?");
            drop(run.drive().await);
            Transcript::try_from(run.transcript().messages().to_vec()).unwrap();
        });
    }
}
