//! Answers that are values of a type.

mod error;
#[cfg(test)]
mod tests;

use std::future::ready;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Agent, FailedRun, Run, SavedRun};
use crate::call::fit_answer;
use crate::run::Wanted;
use crate::schema::{OutputSchema, Unsayable};
use crate::tool::{DynamicTool, Location, Tool};
use crate::transcript::Transcript;
pub use error::RunAsError;

/// An answer of a type, and the run that gave it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Shaped<T> {
    /// The answer.
    pub value: T,
    /// The run. Its [answer](Run::answer) is the value as JSON; further questions put to it are
    /// answered in the same shape.
    pub run: Run,
}

impl Agent {
    /// Answers `question` as [`run`](Self::run) does, with a value of type `T`.
    ///
    /// ```
    /// use agent_core::{Agent, Reply, ScriptedModel, schemars};
    /// use serde_json::json;
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct City {
    ///     name: String,
    ///     /// How many live there, in thousands.
    ///     people: u32,
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let model = ScriptedModel::new([Reply::call("finish", json!({"name": "Ulm", "people": 128}))]);
    /// let agent = Agent::builder().model(model).tools([]).build()?;
    /// let city = agent.run_as::<City>("Which city has the highest church?").await?.value;
    /// assert_eq!((city.name.as_str(), city.people), ("Ulm", 128));
    /// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A model that [holds its replies to a schema](crate::Model::structured_output) is given that of
    /// `T`. Any other is given one more tool, `finish`, whose call is the answer; where the agent has
    /// a tool of that name, it is `finish_`. Either way a reply that is the JSON of a `T` and nothing
    /// else is an answer. What does not fit goes back to the model with what is wrong with it, as
    /// often as [`Limits::answer_retries`](crate::Limits::answer_retries) allows. A `T` that is no
    /// object, such as a list, is asked for as the field `value` of one.
    ///
    /// # Errors
    ///
    /// The model's [dialect](crate::Dialect) cannot say what `T` is, the run failed as in
    /// [`run`](Self::run), or it stopped without an answer that fits. The error hands back the run.
    pub async fn run_as<T>(&self, question: impl Into<String>) -> Result<Shaped<T>, RunAsError>
    where
        T: DeserializeOwned + JsonSchema + 'static,
    {
        let mut run = self.start_as::<T>(question)?;
        if let Err(error) = run.drive().await {
            return Err(FailedRun::new(run, error).into());
        }
        let answer = run.machine.answer().and_then(|json| serde_json::from_str::<Value>(json).ok());
        match answer.and_then(|answer| T::deserialize(answer).ok()) {
            Some(value) => Ok(Shaped { value, run }),
            None => Err(RunAsError::NoAnswer(Box::new(run))),
        }
    }

    /// Goes on from a saved run of [`run_as`](Self::run_as) as [`restore`](Self::restore) does. Once it
    /// has been driven to its end, its [answer](Run::answer) is a `T` as JSON.
    ///
    /// # Errors
    ///
    /// The model's dialect cannot say what `T` is, or what was saved is not the state of a run.
    pub fn restore_as<T>(&self, saved: SavedRun) -> Result<Run, RunAsError>
    where
        T: DeserializeOwned + JsonSchema + 'static,
    {
        let Shape { wanted, tool, output } = self.shape::<T>()?;
        let mut machine = self.machine(Transcript::new());
        machine.want(wanted, tool);
        let mut run = self.restore_into(machine, saved)?;
        run.output = Some(output);
        Ok(run)
    }

    fn start_as<T>(&self, question: impl Into<String>) -> Result<Run, Unsayable>
    where
        T: DeserializeOwned + JsonSchema + 'static,
    {
        let Shape { wanted, tool, output } = self.shape::<T>()?;
        let mut run = self.start(question);
        run.machine.want(wanted, tool);
        run.output = Some(output);
        Ok(run)
    }

    fn shape<T>(&self) -> Result<Shape, Unsayable>
    where
        T: DeserializeOwned + JsonSchema + 'static,
    {
        let (model, toolbox) = (self.model(), self.toolbox());
        let output = Arc::new(OutputSchema::of::<T>());
        output.schema_for(model.dialect())?;
        let by_tool = !model.structured_output(!toolbox.tools().is_empty());
        let tool = by_tool.then(|| finish(toolbox.free_name("finish"), &output));
        let (checked, fields) = (Arc::clone(&output), output.schema.parameters.iter());
        let wanted = Wanted {
            tool: tool.as_ref().map(|tool| tool.name().to_owned()),
            fields: fields.map(|field| field.name.clone()).collect(),
            check: Arc::new(move |given| fit_answer::<T>(&checked, given).map(|(_, json)| json)),
        };
        Ok(Shape { wanted, tool, output })
    }
}

/// What makes a run answer in a shape.
struct Shape {
    wanted: Wanted,
    /// The tool that the answer is given with, where the model does not hold its replies to a schema.
    tool: Option<Tool>,
    output: Arc<OutputSchema>,
}

/// The tool whose call is the answer. The run itself takes its calls, so that they need no approval
/// and no limit of calls stands in their way.
fn finish(name: String, shape: &Arc<OutputSchema>) -> Tool {
    let about = shape.description().map(|text| format!("\n{text}")).unwrap_or_default();
    Tool::dynamic(
        name,
        DynamicTool {
            description: format!(
                "Give the final answer. Call this once, when the answer is known; the work ends with it. \
                 Do not answer in text.{about}"
            ),
            location: Location { file: file!(), line: line!() },
            schema: Arc::clone(&shape.schema),
            check: Box::new(|_, _| Vec::new()),
            call: Box::new(|_, _| Box::pin(ready(Ok("ok".to_owned())))),
        },
    )
}
