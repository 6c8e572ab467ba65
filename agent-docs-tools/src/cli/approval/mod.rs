//! Having a person decide on calls before they are run.

mod dialog;
mod edit;
mod person;
mod shown;

use agent_core::Toolbox;
use agent_core::agent::ApprovalPolicy;

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
    /// The calls that wait, beside those of tools that a role says it of.
    pub(crate) fn policy(&self, toolbox: &Toolbox) -> Result<ApprovalPolicy, Failure> {
        let named = self.ask_before.iter().filter(|name| *name != ALL).map(String::as_str);
        toolbox
            .clone()
            .only(named)
            .map_err(|error| Failure::Usage(format!("--ask-before: {error}, or `{ALL}`")))?;
        Ok(self.ask_before.iter().fold(ApprovalPolicy::new(), |policy, name| match name.as_str() {
            ALL => policy.every_call(),
            name => policy.named(name),
        }))
    }
}
