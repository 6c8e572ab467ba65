//! Tools: functions that a model may call.

mod context;
mod error;
#[cfg(feature = "runtime-tools")]
mod runtime;
mod state;

use std::borrow::Cow;
use std::fmt;
#[cfg(feature = "runtime-tools")]
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

pub use context::ToolContext;
pub use error::ToolError;
pub(crate) use error::with_causes;
#[cfg(feature = "runtime-tools")]
pub(crate) use runtime::RuntimeTool;
#[cfg(feature = "runtime-tools")]
pub use runtime::SchemaError;
pub(crate) use state::StateMap;

use crate::macros_support::{Spec, ToolItem};
use crate::schema::{Dialect, ParameterSchema, Rendered, Unsayable};

/// A function that a model may call: what [`tool`](macro@crate::tool) makes of a function. Cheap to
/// clone.
///
/// Get one with [`tools!`](crate::tools), or all that are linked with
/// [`Toolbox::registered`](crate::Toolbox::registered).
#[derive(Clone)]
pub struct Tool {
    name: Cow<'static, str>,
    source: Source,
    /// Whether its calls wait for approval also where its author does not ask for it.
    needs_approval: bool,
}

/// Where a tool comes from.
#[derive(Clone)]
pub(crate) enum Source {
    /// From a function, by the macro.
    Function(&'static Spec),
    /// From a closure, at run time.
    #[cfg(feature = "runtime-tools")]
    Runtime(Arc<RuntimeTool>),
}

impl Tool {
    /// The tool that `T`, the type named like its function, carries.
    #[must_use]
    pub fn of<T: ToolItem>() -> Self {
        Self::of_spec(T::SPEC)
    }

    pub(crate) fn of_spec(spec: &'static Spec) -> Self {
        Self {
            name: Cow::Borrowed(spec.name),
            source: Source::Function(spec),
            needs_approval: false,
        }
    }

    #[cfg(feature = "runtime-tools")]
    pub(crate) fn of_runtime(name: String, tool: RuntimeTool) -> Self {
        Self {
            name: Cow::Owned(name),
            source: Source::Runtime(Arc::new(tool)),
            needs_approval: false,
        }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// The tool under another name.
    pub(crate) fn renamed(mut self, name: String) -> Self {
        self.name = Cow::Owned(name);
        self
    }

    /// The tool, each of whose calls waits for approval.
    pub(crate) fn needing_approval(mut self) -> Self {
        self.needs_approval = true;
        self
    }

    /// The name the model calls it by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model is told it does.
    #[must_use]
    pub fn description(&self) -> &str {
        match &self.source {
            Source::Function(spec) => spec.description,
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(tool) => &tool.description,
        }
    }

    /// The JSON Schema of its arguments, an object with the properties in parameter order.
    #[must_use]
    pub fn parameters(&self) -> &RawValue {
        &self.schema().json
    }

    /// The schema of its arguments in a provider's [dialect](Dialect).
    ///
    /// # Errors
    ///
    /// The dialect cannot say what the schema says.
    pub fn parameters_for(&self, dialect: Dialect) -> Result<Rendered, Unsayable> {
        self.schema().root.render(dialect)
    }

    /// What it does to the world, as its author states, and whether its calls wait for approval,
    /// as its author or a [role](crate::Role) asks.
    #[must_use]
    pub fn annotations(&self) -> Annotations {
        let mut annotations = match &self.source {
            Source::Function(spec) => spec.annotations,
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(tool) => tool.annotations,
        };
        annotations.needs_approval |= self.needs_approval;
        annotations
    }

    /// The words it is tagged with.
    #[must_use]
    pub fn tags(&self) -> &[&str] {
        match &self.source {
            Source::Function(spec) => spec.tags,
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(_) => &[],
        }
    }

    /// How long a call of it may take, where its author set a limit.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        match &self.source {
            Source::Function(spec) => spec.timeout,
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(_) => None,
        }
    }

    /// How many characters of its result are shown, where its author set a limit.
    #[must_use]
    pub fn max_output(&self) -> Option<usize> {
        match &self.source {
            Source::Function(spec) => spec.max_output,
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(_) => None,
        }
    }

    /// Where it is written.
    #[must_use]
    pub fn location(&self) -> Location {
        match &self.source {
            Source::Function(spec) => spec.location,
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(tool) => tool.location,
        }
    }

    pub(crate) fn schema(&self) -> &ParameterSchema {
        match &self.source {
            Source::Function(spec) => spec.schema(),
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(tool) => &tool.schema,
        }
    }

    /// The names of its parameters that are never shown in a trace.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &'static str> {
        let spec = match &self.source {
            Source::Function(spec) => Some(spec),
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(_) => None,
        };
        spec.into_iter().flat_map(|spec| spec.secrets())
    }

    /// Refuses a default that its own parameter would refuse.
    pub(crate) fn check_defaults(&self) -> Result<(), String> {
        match &self.source {
            Source::Function(spec) => spec.check_defaults(),
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(_) => Ok(()),
        }
    }

    /// The name of a type of state it needs and is not among `states`.
    pub(crate) fn lacking_state(&self, states: &StateMap) -> Option<&'static str> {
        match &self.source {
            Source::Function(spec) => spec.params.iter().find_map(|param| param.lacking(states)),
            #[cfg(feature = "runtime-tools")]
            Source::Runtime(_) => None,
        }
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
    /// Each call waits for an [`Approver`](crate::agent::Approver) to allow it.
    pub needs_approval: bool,
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
