//! Code of users that may panic where no one expects it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `code` gives, if it does not panic.
pub(crate) fn unless_it_panics<T>(code: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(code)).map_err(forget).ok()
}

/// Lets go of what a panic carries. Dropping it could panic again.
pub(crate) fn forget(panic: Box<dyn Any + Send>) {
    std::mem::forget(panic);
}
