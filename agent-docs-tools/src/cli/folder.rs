//! The folder of documents.

use std::path::{Path, PathBuf};

use agent_docs_tools::Docs;

use super::failure::{Failure, with_causes};

const DEFAULT: &str = "./docs";

/// Which documents.
#[derive(Debug, clap::Args)]
pub(crate) struct FolderArgs {
    /// The folder of documents [default: ./docs]
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,

    /// Take these files too, beside *.md: "*.txt" at any depth, "!drafts/" leaves a folder out; may
    /// be repeated
    #[arg(long, value_name = "GLOB")]
    glob: Vec<String>,
}

impl FolderArgs {
    pub(crate) fn open(&self) -> Result<Docs, Failure> {
        let docs = match &self.docs {
            Some(folder) => open(folder)?,
            None if Path::new(DEFAULT).is_dir() => open(Path::new(DEFAULT))?,
            None => {
                return Err(Failure::Usage(format!(
                    "there is no folder {DEFAULT} here; name the folder of documents with --docs DIR"
                )));
            }
        };
        docs.with_globs(&self.glob).map_err(|error| {
            Failure::Usage(format!(
                "{}; write a --glob like \"*.txt\" or \"/notes/*.txt\"",
                with_causes(&error)
            ))
        })
    }
}

/// Opens a folder that the user named.
pub(crate) fn open(folder: &Path) -> Result<Docs, Failure> {
    Docs::open(folder).map_err(|error| {
        Failure::Usage(format!("{}; give --docs a folder that can be read", with_causes(&error)))
    })
}
