//! From tokens to syntax: the function, the options of `#[tool(..)]` and those of its parameters.

pub(crate) mod arg;
pub(crate) mod constant;
pub(crate) mod item;
pub(crate) mod list;
pub(crate) mod options;
pub(crate) mod ty;
pub(crate) mod value;
