//! The tool call: from what the model sent to the text it gets back.

mod answer;
mod arguments;
mod cut;
mod execute;
mod fit;
pub(crate) mod report;

pub(crate) use answer::fit_answer;
pub(crate) use arguments::read_arguments;
pub use cut::cut;
pub(crate) use execute::{Answer, CallLimits, Job};
pub(crate) use fit::{Notes, Problem, as_read, fit_arguments};
pub use report::ErrorKind;
