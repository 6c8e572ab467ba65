//! What holds of any model, limits and order of calls.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Town, agent, told, ulm};
use crate::agent::RunAsError;
use crate::{Limits, Reply, Run, StopReason, Transcript};

const FIT: &str = r#"{"name":"Ulm","people":128}"#;

fn text() -> impl Strategy<Value = Reply> {
    prop_oneof![Just(FIT), Just("Ulm"), Just("{}"), Just("")].prop_map(Reply::text)
}

fn call() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        Just(("finish", json!({"name": "Ulm", "people": "128"}))),
        Just(("finish", json!({"people": 128}))),
        Just(("finish", json!("no JSON"))),
        any::<bool>().prop_map(|same| ("look_up", json!({"what": same.to_string()}))),
        Just(("look_down", json!({}))),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    let calls = vec(call(), 1..5).prop_map(|calls| {
        calls
            .into_iter()
            .fold(Reply::default(), |reply, (name, arguments)| reply.and_call(name, arguments))
    });
    prop_oneof![text(), calls]
}

fn limits() -> impl Strategy<Value = Limits> {
    (1..6_u32, 0..4_u32, 0..3_u32, any::<bool>()).prop_map(
        |(max_steps, max_tool_calls, answer_retries, wrap_up)| Limits {
            max_steps,
            max_tool_calls,
            answer_retries,
            wrap_up,
            ..Limits::default()
        },
    )
}

fn check(run: &Run, limits: &Limits) {
    assert!(run.counts().steps <= limits.max_steps + u32::from(limits.wrap_up));
    let messages = run.transcript().messages().to_vec();
    assert!(Transcript::try_from(messages).is_ok());
    let refused = told(run).into_iter().filter(|told| {
        told.starts_with("The answer does not fit") || told.contains("(parameters: name, people)")
    });
    assert!(refused.count() <= limits.answer_retries as usize + 1);
}

proptest! {
    #[test]
    fn a_run_ends_with_an_answer_that_fits_or_with_none(
        replies in vec(reply(), 8),
        held in any::<[bool; 2]>(),
        limits in limits(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (agent, _) = agent(held, limits.clone(), replies);
        match runtime.block_on(agent.run_as::<Town>("Which town?")) {
            Ok(shaped) => {
                prop_assert_eq!(shaped.value, ulm());
                prop_assert_eq!(shaped.run.answer().unwrap(), FIT);
                let stop = shaped.run.stop();
                prop_assert!(matches!(stop, Some(StopReason::Answered | StopReason::MaxSteps)));
                check(&shaped.run, &limits);
            }
            Err(RunAsError::NoAnswer(run)) => {
                prop_assert!(run.answer().is_err());
                prop_assert_ne!(run.stop(), Some(StopReason::Answered));
                check(&run, &limits);
            }
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
