//! `docs-agent tools`.

use std::path::PathBuf;

use agent_core::{Annotations, Tool, Toolbox};
use serde::Serialize;
use serde_json::value::RawValue;

use super::failure::Failure;
use super::parameters::Parameters;
use super::status::Status;
use super::{folder, output};

/// Print what the model is told about each tool
#[derive(Debug, clap::Args)]
pub(crate) struct Tools {
    /// The folder of documents; the tools are the same for each, so none is needed
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,

    /// Print a JSON list instead: name, description, parameters (JSON Schema), annotations, tags
    #[arg(long)]
    json: bool,
}

impl Tools {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if let Some(docs) = &self.docs {
            folder::open(docs)?;
        }
        let toolbox = Toolbox::new(agent_docs_tools::tools())?;
        if self.json {
            let tools: Vec<ToolJson<'_>> = toolbox.tools().iter().map(ToolJson::from).collect();
            output::print_json(serde_json::to_string_pretty(&tools))?;
        } else {
            let tools: Vec<String> = toolbox.tools().iter().map(described).collect();
            output::print(&tools.join("\n\n"))?;
        }
        Ok(Status::Done)
    }
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

/// A tool, for people to read.
fn described(tool: &Tool) -> String {
    let description = tool.description().replace('\n', "\n  ");
    // A schema that is not read as parameters is still shown, as it is.
    let parameters = serde_json::from_str(tool.parameters().get()).map_or_else(
        |_| tool.parameters().to_string(),
        |parameters: Parameters| parameters.to_string(),
    );
    format!("{}\n  {description}\n\n{parameters}", tool.name())
}
