//! Having a person decide on calls before they are run.

mod dialog;
mod edit;
mod person;
mod shown;

use agent_core::agent::ApprovalPolicy;
use agent_core::{ToolCall, Toolbox};

pub(crate) use person::Person;
pub(crate) use shown::shown;

use super::failure::Failure;

/// Stands for every tool.
const ALL: &str = "all";

/// Which calls wait for approval.
#[derive(Debug, clap::Args)]
pub(crate) struct ApprovalArgs {
    /// Ask on the terminal before each call of this tool, or with `all` of every tool; may be
    /// repeated. Where there is no terminal, such calls are denied
    #[arg(long, help_heading = "Permissions", value_name = "TOOL")]
    ask_before: Vec<String>,
}

impl ApprovalArgs {
    /// The calls that wait, beside those of tools that a role says it of: also those that are
    /// `waiting` already, which the present options may not name.
    pub(crate) fn policy(
        &self,
        toolbox: &Toolbox,
        waiting: Vec<ToolCall>,
    ) -> Result<ApprovalPolicy, Failure> {
        let named = self.ask_before.iter().filter(|name| *name != ALL).map(String::as_str);
        toolbox
            .clone()
            .only(named)
            .map_err(|error| Failure::Usage(format!("--ask-before: {error}, or `{ALL}`")))?;
        let policy = ApprovalPolicy::new().when(move |_, call| waiting.contains(call));
        Ok(self.ask_before.iter().fold(policy, |policy, name| match name.as_str() {
            ALL => policy.every_call(),
            name => policy.named(name),
        }))
    }
}
