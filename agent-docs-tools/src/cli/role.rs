//! The role, which has its tools.

use std::fs;
use std::path::{Path, PathBuf};

use agent_core::{Roles, Toolbox};

use super::failure::Failure;

/// Which of the tools.
#[derive(Debug, clap::Args)]
pub(crate) struct RoleArgs {
    /// Take the roles from this TOML file, which says who may use which tools
    #[arg(long, help_heading = "Permissions", value_name = "FILE.toml", requires = "role")]
    roles: Option<PathBuf>,

    /// Use the tools of this role alone
    #[arg(long, help_heading = "Permissions", value_name = "NAME", requires = "roles")]
    role: Option<String>,
}

impl RoleArgs {
    /// The docs tools, or those of them that the role may use.
    pub(crate) fn toolbox(&self) -> Result<Toolbox, Failure> {
        let tools = Toolbox::new(agent_docs_tools::tools())?;
        let (Some(path), Some(role)) = (&self.roles, &self.role) else { return Ok(tools) };
        let toolbox = read(path)?.toolbox(role, tools);
        toolbox.map_err(|source| Failure::Roles { path: path.clone(), source })
    }
}

fn read(path: &Path) -> Result<Roles, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|source| Failure::Read { path: path.to_owned(), source })?;
    Roles::from_toml(&text).map_err(|source| Failure::Roles { path: path.to_owned(), source })
}
