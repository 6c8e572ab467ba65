//! Roles: who may use which tools, as data.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Toolbox;
use crate::suggest;
#[cfg(feature = "toml")]
use crate::toml_text::{self, Misfit};
use crate::tool::Tool;

/// Who may use which tools. Each role has a name, and makes a toolbox of its own from a larger one.
///
/// A tool that is not in a role's toolbox is not there for its agent: the model is not shown it, and
/// a call of it is answered `error(unknown_tool)` and never run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Roles(BTreeMap<String, Role>);

/// What one role may use: every tool with one of `tags` and every tool in `names`, but none in
/// `deny`, whatever else allows it. `names = ["*"]` stands for every tool; there are no other
/// patterns. Calls of the tools in `needs_approval` wait for an
/// [`Approver`](crate::agent::Approver).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table of `tags`, `names` and `deny`")]
pub struct Role {
    tags: BTreeSet<String>,
    names: BTreeSet<String>,
    deny: BTreeSet<String>,
    needs_approval: BTreeSet<String>,
}

/// Stands for every tool among the names of a role.
const EVERY: &str = "*";

impl Roles {
    /// Reads roles from TOML, a table for each.
    ///
    /// ```
    /// use agent_core::{Roles, Toolbox, tool, tools};
    ///
    /// #[tool("Read a note.", read_only, tags("notes"))]
    /// fn read_note(title: String) -> String { title }
    ///
    /// #[tool("Write a note.", tags("notes"))]
    /// fn write_note(title: String) { let _ = title; }
    ///
    /// #[tool("Remove a note.", destructive, tags("notes"))]
    /// fn remove_note(title: String) { let _ = title; }
    ///
    /// let roles = Roles::from_toml(
    ///     r#"
    ///     [writer]
    ///     tags = ["notes"]                  # every tool with one of these tags
    ///     names = ["read_note"]             # and these
    ///     deny = ["remove_note"]            # but never these
    ///     needs_approval = ["write_note"]   # each call of these waits for approval
    ///
    ///     [admin]
    ///     names = ["*"]                     # every tool
    ///     "#,
    /// )?;
    /// let all = Toolbox::new(tools![read_note, write_note, remove_note])?;
    /// let writers = roles.toolbox("writer", all)?;
    /// let names: Vec<&str> = writers.tools().iter().map(|tool| tool.name()).collect();
    /// assert_eq!(names, ["read_note", "write_note"]);
    /// assert!(writers.tools()[1].annotations().needs_approval);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The text is not TOML, or has a field that roles do not have.
    #[cfg(feature = "toml")]
    pub fn from_toml(text: &str) -> Result<Self, RolesError> {
        toml_text::read(text).map_err(|misfit| RolesError(Problem::NotRoles(misfit)))
    }

    /// The names of the roles, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The role of this name.
    ///
    /// # Errors
    ///
    /// There is none.
    pub fn role(&self, name: &str) -> Result<&Role, RolesError> {
        self.0.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.names().collect();
            RolesError(Problem::NoRole(suggest::there_is_no("role", name, &known)))
        })
    }

    /// Those of the tools that the role `name` may use. Tools that need its approval say so in their
    /// [annotations](Tool::annotations), so an agent with them asks.
    ///
    /// # Errors
    ///
    /// There is no such role, it names a tool or a tag that none of the tools has, it asks for the
    /// approval of a tool that it does not allow, or it allows no tool at all.
    pub fn toolbox(&self, name: &str, toolbox: Toolbox) -> Result<Toolbox, RolesError> {
        let role = self.role(name)?;
        role.restrict(toolbox).map_err(|problem| {
            let role = name.to_owned();
            RolesError(Problem::Role { role, problem })
        })
    }
}

impl Role {
    /// The names of its tools each of whose calls waits for approval, beside those that always do.
    #[must_use]
    pub fn needs_approval(&self) -> &BTreeSet<String> {
        &self.needs_approval
    }

    fn restrict(&self, toolbox: Toolbox) -> Result<Toolbox, String> {
        self.check(toolbox.tools())?;
        let allowed = toolbox.filter(|tool| self.allows(tool)).map(|tool| {
            if !self.needs_approval.contains(tool.name()) {
                return tool;
            }
            let annotations = tool.annotations().needs_approval();
            tool.with_annotations(annotations)
        });
        if let Some(name) = self.needs_approval.iter().find(|name| allowed.get(name).is_none()) {
            return Err(format!(
                "it does not allow `{name}`, whose calls should wait for approval; allow it, or leave it out of `needs_approval`"
            ));
        }
        if allowed.tools().is_empty() {
            return Err("it allows no tool; give it `tags` or `names`".to_owned());
        }
        Ok(allowed)
    }

    /// Refuses names and tags that are not there: a misspelt `deny` would allow.
    fn check(&self, tools: &[Tool]) -> Result<(), String> {
        let names: BTreeSet<&str> = tools.iter().map(Tool::name).collect();
        let tags: BTreeSet<&str> = tools.iter().flat_map(Tool::tags).copied().collect();
        let by_name = self.names.iter().filter(|name| *name != EVERY);
        let by_name = by_name.chain(&self.deny).chain(&self.needs_approval);
        all_known("tool", by_name, &names)?;
        all_known("tag", &self.tags, &tags)
    }

    fn allows(&self, tool: &Tool) -> bool {
        let named = self.names.contains(EVERY) || self.names.contains(tool.name());
        let tagged = tool.tags().iter().any(|tag| self.tags.contains(*tag));
        (named || tagged) && !self.deny.contains(tool.name())
    }
}

fn all_known<'r>(
    kind: &str,
    names: impl IntoIterator<Item = &'r String>,
    known: &BTreeSet<&str>,
) -> Result<(), String> {
    match names.into_iter().find(|name| !known.contains(name.as_str())) {
        Some(name) => {
            Err(suggest::there_is_no(kind, name, &known.iter().copied().collect::<Vec<_>>()))
        }
        None => Ok(()),
    }
}

/// Why a role gives no toolbox. `Debug` shows the message too, for a `main` that returns it.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct RolesError(Problem);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Problem {
    #[cfg(feature = "toml")]
    #[error("not roles: {0}")]
    NotRoles(Misfit),
    #[error("{0}")]
    NoRole(String),
    #[error("the role `{role}`: {problem}")]
    Role { role: String, problem: String },
}

impl fmt::Debug for RolesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
