//! The toolbox: the tools an agent may use.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::macros_support::Entry;
use crate::suggest;
use crate::tool::{Location, StateMap, Tool};

/// The tools an agent may use, sorted by name: its whitelist.
///
/// ```
/// use agent_core::{Toolbox, tool, tools};
///
/// #[tool("Add two numbers.", read_only)]
/// fn add(a: f64, b: f64) -> f64 { a + b }
///
/// let toolbox = Toolbox::new(tools![add])?;
/// assert_eq!(toolbox.get("add").map(|tool| tool.description()), Some("Add two numbers."));
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
    /// Two of them have one name.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Result<Self, ToolboxError> {
        let mut tools: Vec<Tool> = tools.into_iter().collect();
        tools.sort_by_key(|tool| (tool.name(), tool.location().file(), tool.location().line()));
        for pair in tools.windows(2) {
            if let [first, second] = pair
                && first.name() == second.name()
            {
                return Err(ToolboxError::duplicate(*first, *second));
            }
        }
        Ok(Self { tools })
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
        Self::new(inventory::iter::<Entry>.into_iter().map(|entry| Tool::new(entry.0)))
    }

    /// The tools, sorted by name.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool named `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Tool> {
        let place = self.tools.binary_search_by(|tool| tool.name().cmp(name)).ok()?;
        self.tools.get(place).copied()
    }

    /// Refuses a toolbox whose tools need state that is not there.
    pub(crate) fn check_states(&self, states: &StateMap) -> Result<(), ToolboxError> {
        for tool in &self.tools {
            for (id, name) in tool.spec().params.iter().filter_map(|param| param.as_state()) {
                if !states.has(id) {
                    return Err(ToolboxError::missing_state(*tool, name));
                }
            }
        }
        Ok(())
    }

    /// The names of the tools, the nearest to `name` first.
    pub(crate) fn nearest(&self, name: &str) -> Vec<&'static str> {
        let names: Vec<&'static str> = self.tools.iter().map(|tool| tool.name()).collect();
        suggest::by_distance(name, &names)
    }
}

/// Why a toolbox cannot be used. `Debug` shows the message too, for a `main` that returns it.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct ToolboxError(Problem);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Problem {
    #[error(
        "two tools are named `{name}`, at {first} and {second}; rename one with `name = \"..\"` or leave one out"
    )]
    Duplicate { name: &'static str, first: Location, second: Location },
    #[error(
        "the tool `{tool}` at {location} needs state of type `{state}`; give the agent one with `.state(..)`"
    )]
    MissingState { tool: &'static str, location: Location, state: &'static str },
}

impl fmt::Debug for ToolboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl ToolboxError {
    fn duplicate(first: Tool, second: Tool) -> Self {
        Self(Problem::Duplicate {
            name: first.name(),
            first: first.location(),
            second: second.location(),
        })
    }

    fn missing_state(tool: Tool, state: &'static str) -> Self {
        Self(Problem::MissingState { tool: tool.name(), location: tool.location(), state })
    }
}

/// The [tools](crate::Tool) of the named functions: `tools![add, docs::read_doc]`.
///
/// The compiler checks that each name is a `#[tool]` function.
#[macro_export]
macro_rules! tools {
    ($($tool:path),* $(,)?) => {
        [$($crate::Tool::of::<$tool>()),*]
    };
}
