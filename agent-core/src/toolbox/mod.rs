//! The toolbox: the tools an agent may use.

mod error;
mod lint;
mod roles;
#[cfg(test)]
mod tests;

pub use error::ToolboxError;
pub use lint::Lint;
pub use roles::{Role, Roles, RolesError};

use crate::macros_support::Entry;
use crate::schema::Dialect;
use crate::suggest;
use crate::tool::{StateMap, Tool};

/// The tools an agent may use, sorted by name: its whitelist.
///
/// ```
/// use agent_core::{Toolbox, tool, tools};
///
/// #[tool("Add two numbers.", read_only, tags("math"))]
/// fn add(a: f64, b: f64) -> f64 { a + b }
///
/// #[tool("Remove a file.", destructive)]
/// fn remove(path: String) { let _ = path; }
///
/// let toolbox = Toolbox::new(tools![add, remove])?;
/// assert_eq!(toolbox.get("add").map(|tool| tool.description()), Some("Add two numbers."));
///
/// let safe = toolbox.filter(|tool| tool.annotations().read_only).prefixed("math_")?;
/// assert_eq!(safe.tools()[0].name(), "math_add");
/// # Ok::<_, agent_core::ToolboxError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Toolbox {
    tools: Vec<Tool>,
}

impl Toolbox {
    /// The given tools.
    ///
    /// # Errors
    ///
    /// Two of them have one name, or a default is outside the range of its parameter.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Result<Self, ToolboxError> {
        let mut tools: Vec<Tool> = tools.into_iter().collect();
        tools.sort_by(|a, b| {
            let place = |tool: &Tool| (tool.location().file(), tool.location().line());
            a.name().cmp(b.name()).then_with(|| place(a).cmp(&place(b)))
        });
        for tool in &tools {
            tool.check_defaults().map_err(|problem| ToolboxError::wrong_default(tool, problem))?;
        }
        match tools.windows(2).find(|pair| pair[0].name() == pair[1].name()) {
            Some(pair) => Err(ToolboxError::duplicate(&pair[0], &pair[1])),
            None => Ok(Self { tools }),
        }
    }

    /// Every tool that is linked into the program.
    ///
    /// A crate that does nothing but register tools is linked only where something names it:
    /// `use that_crate as _;`.
    ///
    /// # Errors
    ///
    /// Two of them have one name.
    pub fn registered() -> Result<Self, ToolboxError> {
        Self::new(inventory::iter::<Entry>.into_iter().map(|entry| Tool::of_spec(entry.0)))
    }

    /// Only the tools of these names.
    ///
    /// # Errors
    ///
    /// There is no tool of one of the names.
    pub fn only<'n>(self, names: impl IntoIterator<Item = &'n str>) -> Result<Self, ToolboxError> {
        let names = self.known(names)?;
        Ok(self.filter(|tool| names.contains(&tool.name())))
    }

    /// All but the tools of these names.
    ///
    /// # Errors
    ///
    /// There is no tool of one of the names.
    pub fn without<'n>(
        self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Self, ToolboxError> {
        let names = self.known(names)?;
        Ok(self.filter(|tool| !names.contains(&tool.name())))
    }

    /// Only the tools with this tag.
    #[must_use]
    pub fn tagged(self, tag: &str) -> Self {
        self.filter(|tool| tool.tags().contains(&tag))
    }

    /// Only the tools that `keep` says to keep.
    #[must_use]
    pub fn filter(mut self, keep: impl FnMut(&Tool) -> bool) -> Self {
        self.tools.retain(keep);
        self
    }

    /// The tools as `change` makes them, which leaves their names as they are.
    fn map(mut self, change: impl FnMut(Tool) -> Tool) -> Self {
        self.tools = self.tools.into_iter().map(change).collect();
        self
    }

    /// The tools with `prefix` before each name, so that those of several sources go together.
    ///
    /// # Errors
    ///
    /// A name is then not one a model could call.
    pub fn prefixed(self, prefix: &str) -> Result<Self, ToolboxError> {
        let mut tools = Vec::with_capacity(self.tools.len());
        for tool in self.tools {
            let name = format!("{prefix}{}", tool.name());
            check_name(&name).map_err(|problem| ToolboxError::bad_name(&name, problem))?;
            tools.push(tool.renamed(name));
        }
        Self::new(tools)
    }

    /// The tools and further ones.
    ///
    /// # Errors
    ///
    /// Two of them have one name.
    pub fn with(self, tools: impl IntoIterator<Item = Tool>) -> Result<Self, ToolboxError> {
        Self::new(self.tools.into_iter().chain(tools))
    }

    /// The tools and one more, whose name is [free](Self::free_name).
    pub(crate) fn and(&self, tool: Tool) -> Self {
        let mut tools = self.tools.clone();
        let place = tools.partition_point(|known| known.name() < tool.name());
        tools.insert(place, tool);
        Self { tools }
    }

    /// `name`, with as many `_` after it as it takes for no tool to have it.
    pub(crate) fn free_name(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.get(&name).is_some() {
            name.push('_');
        }
        name
    }

    /// The tools, sorted by name.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool named `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Tool> {
        let place = self.tools.binary_search_by(|tool| tool.name().cmp(name)).ok()?;
        self.tools.get(place)
    }

    /// What is legal but will serve a model badly, when the tools are sent in `dialect`.
    #[must_use]
    pub fn lint(&self, dialect: Dialect) -> Vec<Lint> {
        lint::lint(&self.tools, dialect)
    }

    /// Refuses a tool that `dialect` cannot say.
    pub(crate) fn check_dialect(&self, dialect: Dialect) -> Result<(), ToolboxError> {
        for tool in &self.tools {
            tool.parameters_for(dialect).map_err(|error| ToolboxError::unsayable(tool, error))?;
        }
        Ok(())
    }

    /// Refuses a toolbox whose tools need state that is not there.
    pub(crate) fn check_states(&self, states: &StateMap) -> Result<(), ToolboxError> {
        for tool in &self.tools {
            if let Some(name) = tool.lacking_state(states) {
                return Err(ToolboxError::missing_state(tool, name));
            }
        }
        Ok(())
    }

    /// The names of the tools, the nearest to `name` first.
    pub(crate) fn nearest(&self, name: &str) -> Vec<&str> {
        let names: Vec<&str> = self.tools.iter().map(Tool::name).collect();
        suggest::by_distance(name, &names)
    }

    fn known<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<Vec<&'n str>, ToolboxError> {
        let names: Vec<&str> = names.into_iter().collect();
        match names.iter().find(|name| self.get(name).is_none()) {
            Some(unknown) => Err(ToolboxError::unknown(unknown, &self.nearest(unknown))),
            None => Ok(names),
        }
    }
}

impl IntoIterator for Toolbox {
    type Item = Tool;
    type IntoIter = std::vec::IntoIter<Tool>;

    fn into_iter(self) -> Self::IntoIter {
        self.tools.into_iter()
    }
}

/// Checks that every provider takes `name`: what they allow in common.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    let legal = name.starts_with(first)
        && name.len() <= 64
        && name.chars().all(|c| first(c) || c.is_ascii_digit() || c == '-');
    if legal {
        Ok(())
    } else {
        Err("a name has 1 to 64 of `A-Z a-z 0-9 _ -`, and begins with a letter or `_`".to_owned())
    }
}

/// The [tools](crate::Tool) of the named functions: `tools![add, docs::read_doc]`.
///
/// The compiler checks that each name is a `#[tool]` function.
#[macro_export]
macro_rules! tools {
    ($($tool:ty),* $(,)?) => {
        [$($crate::__private::tool(<$tool as $crate::__private::ToolItem>::SPEC)),*]
    };
}
