//! What the code that `#[tool]` generates calls. Not for use by hand: it changes without notice.

mod args;
mod length;
mod param;
mod range;
mod reply;
mod spec;

pub use std::option::Option::{None, Some};
pub use std::result::Result::{Err, Ok};
pub use std::string::String;
pub use std::sync::Arc;
pub use std::vec::Vec;

pub use inventory;
pub use serde_json::Value;

pub use crate::schema::{Bounds, Integers, Lengths, Numbers, Unit};
pub use crate::{__default_json as default_json, __reply as reply};
pub use args::{Args, FromContext, Refused, masked, refuse};
pub use length::{Length, Measured, length};
pub use param::{
    DefaultJson, FromState, Param, ToolParam, ViaNothing, ViaSerialize as DefaultViaSerialize,
};
pub use range::{IntegerRange, NumberRange, Ranged, range};
pub use reply::{CallError, Failure, Returned, Success, ValueOf};
pub use spec::{BROKEN, Call, Entry, Spec, ToolItem, boxed};

/// What the compiler says of bounds that nothing is within.
const EMPTY: &str = "nothing is within this range: write `min..=max`, the smaller number first";

/// The tool of a [`Spec`].
#[must_use]
pub fn tool(spec: &'static Spec) -> crate::Tool {
    crate::Tool::of_spec(spec)
}

/// The traits by which [`reply!`] finds its way.
pub mod ways {
    pub use super::reply::{
        ErrorViaBox, ErrorViaDisplay, ErrorViaDynError, ErrorViaNothing, Plain, ValueViaDisplay,
        ValueViaNothing, ValueViaSerialize, ValueViaUnit,
    };
}
