//! Why a toolbox cannot be used.

use std::fmt;

use crate::schema::Unsayable;
use crate::tool::{Location, Tool};

/// Why a toolbox cannot be used. `Debug` shows the message too, for a `main` that returns it.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct ToolboxError(Problem);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Problem {
    #[error(
        "two tools are named `{name}`, at {first} and {second}; rename one with `name = \"..\"` or leave one out"
    )]
    Duplicate { name: String, first: Location, second: Location },
    #[error("the tool `{name}` at {location} is listed twice; leave one out")]
    Twice { name: String, location: Location },
    #[error(
        "the tool `{tool}` at {location} needs state of type `{state}`; give the agent one with `.state(..)`"
    )]
    MissingState { tool: String, location: Location, state: &'static str },
    #[error("{problem}, at {location}")]
    WrongDefault { location: Location, problem: String },
    #[error("there is no tool `{name}`; there are: {known}")]
    Unknown { name: String, known: String },
    #[error("no tool can be named `{name}`: {rule}")]
    BadName { name: String, rule: String },
    #[error("the parameters of the tool `{tool}` at {location} cannot be sent: {error}")]
    Unsayable { tool: String, location: Location, error: Unsayable },
}

impl ToolboxError {
    pub(super) fn duplicate(first: &Tool, second: &Tool) -> Self {
        let name = first.name().to_owned();
        if first.location() == second.location() {
            return Self(Problem::Twice { name, location: first.location() });
        }
        Self(Problem::Duplicate { name, first: first.location(), second: second.location() })
    }

    pub(super) fn missing_state(tool: &Tool, state: &'static str) -> Self {
        let name = tool.name().to_owned();
        Self(Problem::MissingState { tool: name, location: tool.location(), state })
    }

    /// `known` has the nearest name first.
    pub(super) fn unknown(name: &str, known: &[&str]) -> Self {
        Self(Problem::Unknown { name: name.to_owned(), known: known.join(", ") })
    }

    pub(crate) fn bad_name(name: &str, rule: String) -> Self {
        Self(Problem::BadName { name: name.to_owned(), rule })
    }

    pub(super) fn wrong_default(tool: &Tool, problem: String) -> Self {
        Self(Problem::WrongDefault { location: tool.location(), problem })
    }

    pub(super) fn unsayable(tool: &Tool, error: Unsayable) -> Self {
        let name = tool.name().to_owned();
        Self(Problem::Unsayable { tool: name, location: tool.location(), error })
    }
}

impl fmt::Debug for ToolboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
