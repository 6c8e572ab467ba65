//! From a tool that keeps the rules to the code that makes it callable.

mod bounds;
mod call;
mod carrier;
mod default;
mod entry;
mod fallback;

pub(crate) use entry::expand;
pub(crate) use fallback::{fallback, unparsed};
