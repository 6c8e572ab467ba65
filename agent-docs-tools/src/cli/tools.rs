//! `docs-agent tools`.

use std::path::PathBuf;

use agent_core::{Annotations, Dialect, Tool, Toolbox};
use serde::Serialize;
use serde_json::value::RawValue;

use super::failure::Failure;
use super::parameters::Parameters;
use super::role::RoleArgs;
use super::status::Status;
use super::{folder, output};

/// Print what the model is told about each tool
#[derive(Debug, clap::Args)]
pub(crate) struct Tools {
    /// The folder of documents; the tools are the same for each, so none is needed
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,

    #[command(flatten)]
    role: RoleArgs,

    /// Print a JSON list instead: name, description, parameters (JSON Schema), annotations, tags
    #[arg(long)]
    json: bool,

    /// Print instead what is legal but will serve a model badly; status 1 if there is anything
    #[arg(long, conflicts_with = "json")]
    lint: bool,

    /// How the schemas are sent, for --lint
    #[arg(long, requires = "lint", value_enum, default_value = "json-schema")]
    dialect: DialectName,
}

/// A dialect, by the name it has on the command line.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum DialectName {
    JsonSchema,
    OpenaiStrict,
    Gemini,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::JsonSchema => Self::JsonSchema,
            DialectName::OpenaiStrict => Self::OpenAiStrict,
            DialectName::Gemini => Self::Gemini,
        }
    }
}

impl Tools {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if let Some(docs) = &self.docs {
            folder::open(docs)?;
        }
        let toolbox = self.role.toolbox()?;
        if self.lint {
            return lint(&toolbox, self.dialect.into());
        }
        if self.json {
            let tools: Vec<ToolJson<'_>> = toolbox.tools().iter().map(ToolJson::from).collect();
            output::print_json(serde_json::to_string_pretty(&tools))?;
        } else {
            output::print(&described(&toolbox))?;
        }
        Ok(Status::Done)
    }
}

fn lint(toolbox: &Toolbox, dialect: Dialect) -> Result<Status, Failure> {
    let lints: Vec<String> = toolbox.lint(dialect).iter().map(ToString::to_string).collect();
    if lints.is_empty() {
        output::print("nothing to improve")?;
        return Ok(Status::Done);
    }
    output::print(&lints.join("\n"))?;
    Ok(Status::Error)
}

#[derive(Debug, Serialize)]
struct ToolJson<'t> {
    name: &'t str,
    description: &'t str,
    parameters: &'t RawValue,
    annotations: Annotations,
    tags: &'t [&'t str],
}

impl<'t> From<&'t Tool> for ToolJson<'t> {
    fn from(tool: &'t Tool) -> Self {
        Self {
            name: tool.name(),
            description: tool.description(),
            parameters: tool.parameters(),
            annotations: tool.annotations(),
            tags: tool.tags(),
        }
    }
}

/// The tools, for people to read.
pub(crate) fn described(toolbox: &Toolbox) -> String {
    let tools: Vec<String> = toolbox.tools().iter().map(described_tool).collect();
    tools.join("\n\n")
}

fn described_tool(tool: &Tool) -> String {
    let description = tool.description().replace('\n', "\n  ");
    // A schema that is not read as parameters is still shown, as it is.
    let parameters = serde_json::from_str(tool.parameters().get()).map_or_else(
        |_| tool.parameters().to_string(),
        |parameters: Parameters| parameters.to_string(),
    );
    format!("{}\n  {description}\n\n{parameters}", tool.name())
}
