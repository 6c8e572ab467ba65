//! `docs-agent call`.

use agent_core::Agent;
use agent_docs_tools::OfflinePlanner;
use serde_json::Value;

use super::approval::Person;
use super::failure::Failure;
use super::folder::FolderArgs;
use super::interrupt::Interrupt;
use super::output;
use super::role::RoleArgs;
use super::status::Status;

const AFTER_HELP: &str = "\
Examples:
  docs-agent call list_docs
  docs-agent call --docs handbook grep_docs '{\"keyword\": \"travel\"}'
  docs-agent call read_doc '{\"path\": \"index.md\", \"start\": 10, \"end\": 20}'

The exit status is 1 if the result is an error result.";

/// Call one tool and print its result as the model would see it
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Call {
    /// The tool, as `docs-agent tools` names it
    tool: String,

    /// Its arguments, as a JSON object
    #[arg(value_name = "JSON")]
    arguments: Option<String>,

    #[command(flatten)]
    folder: FolderArgs,

    #[command(flatten)]
    role: RoleArgs,
}

impl Call {
    pub(crate) async fn run(self) -> Result<Status, Failure> {
        let toolbox = self.role.toolbox()?;
        let interrupt = Interrupt::default();
        let agent = Agent::builder()
            .model(OfflinePlanner::new())
            .approver(Person::new(&toolbox, interrupt.clone(), None)?)
            .tools(toolbox)
            .state(self.folder.open()?)
            .build()?;
        // As text, since that is how a model sends them: what is no JSON is the tool call's to tell.
        let arguments = self.arguments.map_or(Value::Null, Value::String);
        let result = tokio::select! {
            result = agent.call(&self.tool, arguments) => result,
            () = interrupt.wait() => return Ok(Status::Interrupted),
        };
        output::print(&result.content)?;
        Ok(if result.is_error { Status::Error } else { Status::Done })
    }
}
