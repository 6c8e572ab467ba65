//! Memory: what requests show of a long run, while its transcript stays whole.

use std::sync::{Arc, Mutex};

use agent_core::model::ModelErrorKind;
use agent_core::{
    Agent, Event, FnModel, Message, Model, ModelError, Reply, RunError, StopReason, Transcript,
    tool, tools,
};
use serde_json::json;
use tests::check_transcript;

#[tool("Read a page.", read_only, inline, register = false)]
fn read(page: u32) -> String {
    format!("page {page}: {}", "word ".repeat(200))
}

/// What each request of a model showed.
type Shown = Arc<Mutex<Vec<Vec<Message>>>>;

/// A model that reads so many pages and then answers, and that refuses requests of more messages'
/// bytes than `takes`.
fn reader(pages: u32, takes: usize) -> (impl Model + 'static, Shown) {
    let shown = Shown::default();
    let seen = Arc::clone(&shown);
    let mut page = 0;
    let model = FnModel::new(move |messages: &[Message]| {
        if serde_json::to_string(messages).unwrap().len() > takes {
            return Err(ModelError::of(ModelErrorKind::ContextLength, "too long"));
        }
        seen.lock().unwrap().push(messages.to_vec());
        page += 1;
        Ok(if page > pages {
            Reply::text("I have read it all.")
        } else {
            Reply::call("read", json!({"page": page}))
        })
    });
    (model, shown)
}

#[tokio::test]
async fn a_long_run_keeps_to_the_window_and_its_transcript_stays_whole() {
    let (model, shown) = reader(60, usize::MAX);
    let cuts = Arc::new(Mutex::new(0));
    let told = Arc::clone(&cuts);
    let agent = Agent::builder()
        .model(model)
        .tools(tools![read])
        .system("Read.")
        .max_steps(100)
        .context_window(4000)
        .on_event(move |event| {
            if let Event::ContextCut { tokens_after, .. } = event {
                assert!(*tokens_after <= 2000, "half of the window is for the reply");
                *told.lock().unwrap() += 1;
            }
        })
        .build()
        .unwrap();
    let run = agent.run("Read it all.").await.unwrap();
    assert_eq!(run.stop(), Some(StopReason::Answered));
    check_transcript(run.transcript()).unwrap();
    assert_eq!(run.transcript().messages().len(), 2 + 60 * 2 + 1, "nothing is taken from it");
    assert!(*cuts.lock().unwrap() > 3);
    for messages in shown.lock().unwrap().iter() {
        let bytes = serde_json::to_string(messages).unwrap().len();
        assert!(bytes < 4000 * 4, "{bytes} bytes are more than the window holds");
        assert!(matches!(&messages[0], Message::System { content } if content == "Read."));
        assert!(
            matches!(&messages[1], Message::User { content } if content.starts_with("Read it all."))
        );
        check_transcript(&Transcript::try_from(messages.clone()).unwrap()).unwrap();
    }
}

#[tokio::test]
async fn a_model_that_finds_a_request_too_long_is_shown_less_and_the_run_goes_on() {
    let (model, shown) = reader(30, 9000);
    let agent = Agent::builder().model(model).tools(tools![read]).max_steps(100).build().unwrap();
    let run = agent.run("Read it all.").await.unwrap();
    assert_eq!(run.stop(), Some(StopReason::Answered));
    assert_eq!(run.counts().steps, 31, "a request that was refused is no step");
    assert_eq!(run.transcript().messages().len(), 1 + 30 * 2 + 1);
    assert_eq!(shown.lock().unwrap().len(), 31);
}

#[tokio::test]
async fn a_question_that_is_too_long_by_itself_ends_the_run_with_the_models_own_error() {
    let (model, _) = reader(1, 50);
    let agent = Agent::builder().model(model).tools(tools![read]).build().unwrap();
    let failed = agent.run("word ".repeat(100)).await.unwrap_err();
    let RunError::Model(error) = failed.error() else { panic!("{failed}") };
    assert_eq!(error.kind(), ModelErrorKind::ContextLength);
    assert_eq!(failed.into_run().transcript().messages().len(), 1);
}
