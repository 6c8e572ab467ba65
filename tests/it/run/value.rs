//! A run as a value.

use agent_core::{Agent, Run};

use super::builder;

#[test]
fn a_run_and_its_errors_can_be_sent_and_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Run>();
    shared::<agent_core::FailedRun>();
    shared::<Agent>();
}

#[tokio::test]
async fn a_run_that_has_not_been_driven_says_so() {
    let (builder, _) = builder([]);
    let run = builder.build().unwrap().start("go");
    assert_eq!(
        run.answer().unwrap_err().to_string(),
        "the run has not ended yet; drive it to its end"
    );
}
