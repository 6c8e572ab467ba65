//! Agents whose model the environment names.

use super::{Agent, AgentBuilder, BuildError};
use crate::profile::Choice;

impl Agent {
    /// An agent with the model that the [environment names](Choice::from_env) and [every tool that
    /// is linked](crate::Toolbox::registered).
    ///
    /// ```no_run
    /// use agent_core::{Agent, tool};
    ///
    /// #[tool("Subtract b from a.")]
    /// fn subtract(a: f64, b: f64) -> f64 { a - b }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let agent = Agent::from_env()?;
    /// println!("{}", agent.run("What is 5 - 3.2?").await?.answer()?);
    /// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The environment names no model or one that cannot be set up, or as for
    /// [`AgentBuilder::build`].
    pub fn from_env() -> Result<Self, BuildError> {
        Self::builder().model_from_env()?.build()
    }
}

impl AgentBuilder {
    /// Sets the model that the [environment names](Choice::from_env).
    ///
    /// # Errors
    ///
    /// The environment names no model, or one that cannot be set up.
    pub fn model_from_env(self) -> Result<Self, BuildError> {
        let choice = Choice::from_env().ok_or_else(|| {
            let message = "the environment names no model; set LLM_BASE_URL and LLM_MODEL for a \
                           server of your own, or the key of a preset such as OPENAI_API_KEY";
            BuildError::model(message.to_owned())
        })?;
        let model = choice.into_model().map_err(|error| BuildError::model(error.to_string()))?;
        Ok(self.model(model))
    }
}
