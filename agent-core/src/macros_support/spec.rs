//! A tool as the macro describes it.

use std::future::Future;
use std::sync::OnceLock;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::args::Args;
use super::param::Param;
use super::reply::Returned;
use crate::schema::{Described, ParameterSchema};
use crate::tool::{Annotations, Location};

/// The type named like a tool's function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "no `#[tool]` function has this name",
    note = "put `#[tool(\"what it does\")]` on a function of this name, or name one that has it"
)]
pub trait ToolItem {
    /// The tool it carries.
    const SPEC: &'static Spec;
}

/// How a tool is called.
#[expect(missing_debug_implementations, reason = "holds function pointers alone")]
pub enum Call {
    /// On a thread of its own, or in place where the tool is `inline`.
    Sync(fn(&Args) -> Returned),
    /// As a future.
    Async(fn(Args) -> BoxFuture<'static, Returned>),
}

/// Everything the macro read from a function, and the schema once it is built.
#[expect(missing_debug_implementations, reason = "holds function pointers")]
pub struct Spec {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) params: &'static [Param],
    pub(crate) call: Call,
    pub(crate) location: Location,
    pub(crate) annotations: Annotations,
    pub(crate) tags: &'static [&'static str],
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_output: Option<usize>,
    pub(crate) inline: bool,
    schema: OnceLock<ParameterSchema>,
}

impl Spec {
    /// A tool without options.
    #[must_use]
    pub const fn new(
        name: &'static str,
        description: &'static str,
        params: &'static [Param],
        call: Call,
    ) -> Self {
        Self {
            name,
            description,
            params,
            call,
            location: Location { file: "", line: 0 },
            annotations: Annotations::new(),
            tags: &[],
            timeout: None,
            max_output: None,
            inline: false,
            schema: OnceLock::new(),
        }
    }

    /// Sets where the tool is written.
    #[must_use]
    pub const fn at(mut self, file: &'static str, line: u32, _column: u32) -> Self {
        self.location = Location { file, line };
        self
    }

    /// Sets `read_only`.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.annotations = self.annotations.read_only();
        self
    }

    /// Sets `destructive`.
    #[must_use]
    pub const fn destructive(mut self) -> Self {
        self.annotations = self.annotations.destructive();
        self
    }

    /// Sets `idempotent`.
    #[must_use]
    pub const fn idempotent(mut self) -> Self {
        self.annotations = self.annotations.idempotent();
        self
    }

    /// Sets `open_world`.
    #[must_use]
    pub const fn open_world(mut self) -> Self {
        self.annotations = self.annotations.open_world();
        self
    }

    /// Sets `needs_approval`.
    #[must_use]
    pub const fn needs_approval(mut self) -> Self {
        self.annotations = self.annotations.needs_approval();
        self
    }

    /// Sets `inline`.
    #[must_use]
    pub const fn inline(mut self) -> Self {
        self.inline = true;
        self
    }

    /// Sets `tags`.
    #[must_use]
    pub const fn tags(mut self, tags: &'static [&'static str]) -> Self {
        self.tags = tags;
        self
    }

    /// Sets `timeout`, in milliseconds.
    #[must_use]
    pub const fn timeout_ms(mut self, milliseconds: u64) -> Self {
        self.timeout = Some(Duration::from_millis(milliseconds));
        self
    }

    /// Sets `max_output`, in characters.
    #[must_use]
    pub const fn max_output(mut self, characters: usize) -> Self {
        self.max_output = Some(characters);
        self
    }

    /// The names of the parameters that are kept out of the trace.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &'static str> {
        self.params.iter().filter_map(Param::as_secret)
    }

    /// Refuses a default that is not within the bounds of its parameter, where only running the
    /// program could tell.
    ///
    /// # Errors
    ///
    /// Says which it is.
    pub(crate) fn check_defaults(&self) -> Result<(), String> {
        let mut described = self.params.iter().filter_map(Param::described);
        let refused = described.find_map(|Described { name, default, bounds, .. }| {
            let (default, bounds) = (default?, bounds?);
            (!bounds.hold(&default)).then_some((name, default, bounds))
        });
        match refused {
            Some((name, default, bounds)) => Err(format!(
                "the default of `{name}` in the tool `{}` is {default}, which is not {bounds}; change the default or \
                 the bounds",
                self.name
            )),
            None => Ok(()),
        }
    }

    /// The schema of the parameters, built at its first use.
    pub(crate) fn schema(&self) -> &ParameterSchema {
        self.schema.get_or_init(|| {
            ParameterSchema::new(self.params.iter().filter_map(Param::described).collect())
        })
    }
}

/// Stands for a tool that did not compile, so that naming it is no second error.
pub static BROKEN: Spec = Spec::new("", "", &[], Call::Sync(|_| Ok(String::new())));

/// A tool in the registry that the linker gathers.
#[expect(missing_debug_implementations, reason = "holds function pointers")]
pub struct Entry(pub &'static Spec);

inventory::collect!(Entry);

/// Boxes the future of an async tool.
pub fn boxed(
    future: impl Future<Output = Returned> + Send + 'static,
) -> BoxFuture<'static, Returned> {
    Box::pin(future)
}
