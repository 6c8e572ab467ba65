//! An agent as a tool of another agent.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;

use super::{Agent, Run};
use crate::run::Limits;
use crate::schema::{ParameterSchema, Property, Root};
use crate::tool::{DynamicTool, Left, Location, Share, Tool, ToolContext, ToolError, with_causes};
use crate::toolbox::{ToolboxError, check_name};

impl Agent {
    /// A tool that asks this agent a question, for another agent to call.
    ///
    /// ```
    /// use agent_core::{Agent, Reply, ScriptedModel};
    /// use serde_json::json;
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// let librarian = Agent::builder()
    ///     .model(ScriptedModel::new([Reply::text("In the third aisle.")]))
    ///     .tools([])
    ///     .build()?
    ///     .as_tool("ask_librarian", "Answers questions about where books stand.")?;
    /// let model = ScriptedModel::new([
    ///     Reply::call("ask_librarian", json!({"question": "Where is Emma?"})),
    ///     Reply::text("You find Emma in the third aisle."),
    /// ]);
    /// let desk = Agent::builder().model(model).tools([librarian]).build()?;
    /// let run = desk.run("I am looking for Emma.").await?;
    /// assert_eq!(run.answer()?, "You find Emma in the third aisle.");
    /// # Ok::<_, Box<dyn std::error::Error>>(()) })?;
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Each call is a run of its own: it knows nothing of the caller's transcript but the question,
    /// and has this agent's state, approver and listeners. The caller's listeners hear of the call
    /// alone. Idempotency keys of its tools are the same when the call is made again.
    ///
    /// The run keeps to this agent's limits and to the caller's: it ends at the earlier deadline, is
    /// cancelled with the caller, and what it uses counts as the caller's, within its budgets of tokens
    /// and of money and, where this agent has none of its own, its daily budget. A caller with a budget
    /// of money is refused by an agent whose model has no prices. A call may take as long as this agent's deadline says, or the caller's
    /// [`tool_timeout`](crate::Limits::tool_timeout) where it has none;
    /// [`Tool::with_timeout`] sets another limit. A run that ends without an answer, or with an
    /// error, is an error result that the caller's model reads; the caller's run goes on.
    ///
    /// Calls run one after the other unless the tool is marked `read_only`. Those that run side by
    /// side share what is left of the caller's budgets; an agent without one of its own takes all of it
    /// for as long as it runs.
    ///
    /// # Errors
    ///
    /// The name is not one a model could call.
    #[track_caller]
    pub fn as_tool(
        &self,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Result<Tool, ToolboxError> {
        let name = name.into();
        check_name(&name).map_err(|problem| ToolboxError::bad_name(&name, problem))?;
        let agent = self.clone();
        let tool = DynamicTool {
            description: description.into(),
            location: Location::caller(),
            schema: Arc::new(question()),
            check: Box::new(|_, _| Vec::new()),
            call: Box::new(move |arguments, context| {
                let agent = agent.clone();
                Box::pin(async move {
                    let question = arguments.get("question").and_then(|value| value.as_str());
                    Nested::start(&agent, question.unwrap_or_default(), &context)?.answer().await
                })
            }),
        };
        let tool = Tool::dynamic(name, tool);
        Ok(match self.limits().deadline {
            Some(deadline) => tool.with_timeout(deadline),
            None => tool,
        })
    }
}

fn question() -> ParameterSchema {
    let question = Property {
        name: "question".to_owned(),
        schema: json!({
            "type": "string",
            "description": "The whole question; nothing else of this conversation is known there.",
        }),
        required: true,
    };
    let (properties, definitions) = (vec![question], Default::default());
    ParameterSchema::of(Root { properties, definitions, closed: true })
}

/// A run inside a call. However it ends, also when it is dropped, its tokens are the caller's.
struct Nested {
    run: Run,
    share: Share,
}

impl Nested {
    fn start(agent: &Agent, question: &str, context: &ToolContext) -> Result<Self, ToolError> {
        let Limits { token_budget: tokens, cost_budget: cost, .. } = *agent.limits();
        let share = context.spending.share(Left { tokens, cost }).ok_or_else(|| {
            ToolError::new("nothing is left for it in the run's budget; go on without it")
        })?;
        let mut run = agent.start(question);
        let Left { tokens, cost } = share.set_aside();
        if cost.is_some() && run.cost().is_none() {
            return Err(ToolError::new(
                "the run has a budget of money, and the agent's model has no prices; go on without it",
            ));
        }
        run.context.count();
        // Its calls then have the same keys when this one is made again.
        run.id = context.idempotency_key().into();
        run.cancel = context.cancelled.child_token();
        run.ledger = run.ledger.or_else(|| context.spending.ledger().cloned());
        let limits = run.machine.limits_mut();
        let left = context.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        (limits.token_budget, limits.cost_budget) = (tokens, cost);
        limits.deadline = [limits.deadline, left].into_iter().flatten().min();
        Ok(Self { run, share })
    }

    async fn answer(mut self) -> Result<String, ToolError> {
        let stop = self.run.drive().await.map_err(|error| {
            // Only its text: what is fatal to this run is not to the caller's.
            let error = with_causes(&error);
            ToolError::new(format!("the agent failed: {error}; try once more, or go on without it"))
        })?;
        self.run.answer().map_err(|_| {
            ToolError::new(format!(
                "the agent stopped without an answer: {stop}; ask it for less, or go on without it"
            ))
        })
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        self.share.spend(self.run.machine.spent());
    }
}
