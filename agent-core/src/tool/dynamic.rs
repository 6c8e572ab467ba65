//! Tools that are no function of the program: made while it runs.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{Location, ToolContext, ToolError};
use crate::call::Problem;
use crate::message::Arguments;
use crate::schema::ParameterSchema;

/// Finds what is wrong with arguments besides what fitting has found.
type Check = dyn Fn(&Arguments, &[Problem]) -> Vec<Problem> + Send + Sync;
type Call =
    dyn Fn(Arguments, ToolContext) -> BoxFuture<'static, Result<String, ToolError>> + Send + Sync;

/// What a tool made at run time has in place of a [`Spec`](crate::macros_support::Spec).
pub(crate) struct DynamicTool {
    pub(crate) description: String,
    pub(crate) location: Location,
    pub(crate) schema: Arc<ParameterSchema>,
    pub(crate) check: Box<Check>,
    /// Is only called with arguments that nothing is wrong with.
    pub(crate) call: Box<Call>,
}
