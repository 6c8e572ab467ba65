//! Tools: functions that a model may call.

mod annotations;
mod context;
mod dynamic;
mod error;
mod location;
#[cfg(feature = "runtime-tools")]
mod runtime;
mod spending;
mod state;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;

pub use annotations::Annotations;
pub use context::ToolContext;
pub(crate) use dynamic::DynamicTool;
pub use error::ToolError;
pub(crate) use error::with_causes;
pub use location::Location;
#[cfg(feature = "runtime-tools")]
pub use runtime::SchemaError;
pub(crate) use spending::{Left, Share, Spending};
pub(crate) use state::StateMap;

use crate::macros_support::{Spec, ToolItem};
use crate::schema::{Dialect, ParameterSchema, Rendered, Unsayable};

/// A function that a model may call: what [`tool`](macro@crate::tool) makes of a function. Cheap to
/// clone.
///
/// Get one with [`tools!`](crate::tools), or all that are linked with
/// [`Toolbox::registered`](crate::Toolbox::registered). What its author said of it can be said
/// otherwise where it is used:
///
/// ```
/// use agent_core::{Tool, tool};
/// use std::time::Duration;
///
/// #[tool("Remove a file.", destructive)]
/// fn remove(path: String) { let _ = path; }
///
/// let guarded = Tool::of::<remove>()
///     .with_annotations(Tool::of::<remove>().annotations().needs_approval())
///     .with_timeout(Duration::from_secs(5));
/// assert!(guarded.annotations().destructive && guarded.annotations().needs_approval);
/// ```
#[derive(Clone)]
pub struct Tool {
    name: Cow<'static, str>,
    annotations: Annotations,
    tags: Cow<'static, [&'static str]>,
    timeout: Option<Duration>,
    max_output: Option<usize>,
    source: Source,
}

/// Where a tool comes from.
#[derive(Clone)]
pub(crate) enum Source {
    /// From a function, by the macro.
    Function(&'static Spec),
    /// Made at run time.
    Dynamic(Arc<DynamicTool>),
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
            annotations: spec.annotations,
            tags: Cow::Borrowed(spec.tags),
            timeout: spec.timeout,
            max_output: spec.max_output,
            source: Source::Function(spec),
        }
    }

    /// A tool of which nothing more is said yet.
    pub(crate) fn dynamic(name: String, tool: DynamicTool) -> Self {
        Self {
            name: Cow::Owned(name),
            annotations: Annotations::new(),
            tags: Cow::Borrowed(&[]),
            timeout: None,
            max_output: None,
            source: Source::Dynamic(Arc::new(tool)),
        }
    }

    /// The tool under another name.
    pub(crate) fn renamed(mut self, name: String) -> Self {
        self.name = Cow::Owned(name);
        self
    }

    /// The tool with other [annotations](Self::annotations).
    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        self.annotations = annotations;
        self
    }

    /// The tool with other [tags](Self::tags).
    #[must_use]
    pub fn with_tags(mut self, tags: impl IntoIterator<Item = &'static str>) -> Self {
        self.tags = tags.into_iter().collect();
        self
    }

    /// The tool with another [time limit](Self::timeout). It does not bind a tool that is `inline`,
    /// which nothing can interrupt.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The tool with another [limit of its result](Self::max_output), in characters.
    #[must_use]
    pub fn with_max_output(mut self, characters: usize) -> Self {
        self.max_output = Some(characters);
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
            Source::Dynamic(tool) => &tool.description,
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
        self.annotations
    }

    /// The words it is tagged with.
    #[must_use]
    pub fn tags(&self) -> &[&str] {
        &self.tags
    }

    /// How long a call of it may take, where a limit of its own is set.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// How many characters of its result are shown, where a limit of its own is set.
    #[must_use]
    pub fn max_output(&self) -> Option<usize> {
        self.max_output
    }

    /// Where it is written.
    #[must_use]
    pub fn location(&self) -> Location {
        match &self.source {
            Source::Function(spec) => spec.location,
            Source::Dynamic(tool) => tool.location,
        }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn schema(&self) -> &ParameterSchema {
        match &self.source {
            Source::Function(spec) => spec.schema(),
            Source::Dynamic(tool) => &tool.schema,
        }
    }

    /// The names of its parameters that are never shown in a trace.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &'static str> {
        self.spec().into_iter().flat_map(Spec::secrets)
    }

    /// Refuses a default that its own parameter would refuse.
    pub(crate) fn check_defaults(&self) -> Result<(), String> {
        self.spec().map_or(Ok(()), Spec::check_defaults)
    }

    /// The name of a type of state it needs and is not among `states`.
    pub(crate) fn lacking_state(&self, states: &StateMap) -> Option<&'static str> {
        self.spec()?.params.iter().find_map(|param| param.lacking(states))
    }

    fn spec(&self) -> Option<&'static Spec> {
        match &self.source {
            Source::Function(spec) => Some(spec),
            Source::Dynamic(_) => None,
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
