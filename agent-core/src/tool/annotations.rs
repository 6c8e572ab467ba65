//! What a tool does to the world.

use serde::Serialize;

/// What a tool does to the world; as the Model Context Protocol's tool annotations mean them.
///
/// ```
/// use agent_core::Annotations;
///
/// let look_up = Annotations::new().read_only().open_world();
/// assert!(look_up.read_only && !look_up.needs_approval);
/// ```
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

impl Annotations {
    /// Those of a tool of which nothing is said.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            read_only: false,
            destructive: false,
            idempotent: false,
            open_world: false,
            needs_approval: false,
        }
    }

    /// Sets `read_only`.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    /// Sets `destructive`.
    #[must_use]
    pub const fn destructive(mut self) -> Self {
        self.destructive = true;
        self
    }

    /// Sets `idempotent`.
    #[must_use]
    pub const fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Sets `open_world`.
    #[must_use]
    pub const fn open_world(mut self) -> Self {
        self.open_world = true;
        self
    }

    /// Sets `needs_approval`.
    #[must_use]
    pub const fn needs_approval(mut self) -> Self {
        self.needs_approval = true;
        self
    }
}
