//! A conversation: several questions on one transcript.

use super::{Agent, Run, RunError};
use crate::cost::Cost;
use crate::transcript::Transcript;
use crate::usage::Counts;

/// A conversation with an agent, whose transcript holds all questions and answers.
///
/// ```
/// use agent_core::{Agent, Reply, ScriptedModel};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let model = ScriptedModel::new([Reply::text("Paris."), Reply::text("About two million.")]);
/// let agent = Agent::builder().model(model).tools([]).build()?;
/// let mut session = agent.session();
/// assert_eq!(session.ask("What is the capital of France?").await?.answer()?, "Paris.");
/// assert_eq!(session.ask("How many people live there?").await?.answer()?, "About two million.");
/// assert_eq!((session.transcript().messages().len(), session.counts().steps), (4, 2));
/// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    run: Run,
}

impl Agent {
    /// A new conversation.
    #[must_use]
    pub fn session(&self) -> Session {
        self.resume_session(self.new_transcript())
    }

    /// A conversation that goes on from an earlier transcript.
    #[must_use]
    pub fn resume_session(&self, transcript: Transcript) -> Session {
        Session { run: Run::idle(self.clone(), self.machine(transcript)) }
    }
}

impl Session {
    /// Asks a question and drives its run until it stops. The limits hold for each question.
    ///
    /// Dropping the future cancels the run and keeps the conversation.
    ///
    /// # Errors
    ///
    /// The model failed, or a tool failed fatally. The conversation can go on after that.
    pub async fn ask(&mut self, question: impl Into<String>) -> Result<&Run, RunError> {
        self.start(question).drive().await?;
        Ok(&self.run)
    }

    /// A run that will answer `question` once it is [driven](Run::drive) or
    /// [streamed](Run::stream). A run that is still going is cancelled first.
    pub fn start(&mut self, question: impl Into<String>) -> &mut Run {
        self.run.ask(question);
        &mut self.run
    }

    /// The run of the last question; before the first, one that has stopped with `empty`.
    #[must_use]
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The run of the last question, to be driven on after a decision on its pending calls.
    pub fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    /// The messages so far; valid at every moment.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        self.run.transcript()
    }

    /// What all runs of the conversation did.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = self.run.counts_before;
        counts += self.run.counts();
        counts
    }

    /// What all runs of the conversation cost, where the model [has prices](crate::Model::prices).
    #[must_use]
    pub fn cost(&self) -> Option<Cost> {
        self.run.cost().map(|cost| self.run.cost_before + cost)
    }
}
