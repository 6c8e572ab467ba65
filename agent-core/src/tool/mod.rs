//! Tools: functions that a model may call.

mod context;
mod error;
mod state;

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

pub use context::ToolContext;
pub use error::ToolError;
pub(crate) use error::with_causes;
pub(crate) use state::StateMap;

use crate::macros_support::{Spec, ToolItem};
use crate::schema::{Dialect, Rendered, Unsayable};

/// A function that a model may call: what [`tool`](macro@crate::tool) makes of a function.
///
/// Get one with [`tools!`](crate::tools), or all that are linked with
/// [`Toolbox::registered`](crate::Toolbox::registered).
#[derive(Clone, Copy)]
pub struct Tool(&'static Spec);

impl Tool {
    /// The tool that `T`, the type named like its function, carries.
    #[must_use]
    pub fn of<T: ToolItem>() -> Self {
        Self(T::SPEC)
    }

    pub(crate) fn new(spec: &'static Spec) -> Self {
        Self(spec)
    }

    pub(crate) fn spec(self) -> &'static Spec {
        self.0
    }

    /// The name the model calls it by.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What the model is told it does.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.0.description
    }

    /// The JSON Schema of its arguments, an object with the properties in parameter order.
    #[must_use]
    pub fn parameters(self) -> &'static RawValue {
        &self.0.schema().json
    }

    /// The schema of its arguments in a provider's [dialect](Dialect).
    ///
    /// # Errors
    ///
    /// The dialect cannot say what the schema says.
    pub fn parameters_for(self, dialect: Dialect) -> Result<Rendered, Unsayable> {
        self.0.schema().root.render(dialect)
    }

    /// What it does to the world, as its author states.
    #[must_use]
    pub fn annotations(self) -> Annotations {
        self.0.annotations
    }

    /// The words it is tagged with.
    #[must_use]
    pub fn tags(self) -> &'static [&'static str] {
        self.0.tags
    }

    /// How long a call of it may take, where its author set a limit.
    #[must_use]
    pub fn timeout(self) -> Option<Duration> {
        self.0.timeout
    }

    /// Where it is written.
    #[must_use]
    pub fn location(self) -> Location {
        self.0.location
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name())
            .field("location", &self.location())
            .finish_non_exhaustive()
    }
}

/// What a tool does to the world; as the Model Context Protocol's tool annotations mean them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Annotations {
    /// It changes nothing. Such calls of one step run side by side.
    pub read_only: bool,
    /// It may destroy what cannot be brought back.
    pub destructive: bool,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: bool,
    /// It reaches beyond this machine.
    pub open_world: bool,
}

/// A place in source code, shown as `file:line`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    pub(crate) file: &'static str,
    pub(crate) line: u32,
}

impl Location {
    /// The file, as the compiler was given it.
    #[must_use]
    pub fn file(self) -> &'static str {
        self.file
    }

    /// The line, counted from 1.
    #[must_use]
    pub fn line(self) -> u32 {
        self.line
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
