//! The run as a state machine: it is asked what comes next, and told what happened.
//!
//! It decides; it does not act. Nothing here knows of a clock, a file, a socket or a runtime.

mod answer;
mod approval;
mod ids;
mod limits;
mod machine;
mod next;
mod progress;
mod repeat;
mod saved;
mod stop;
#[cfg(test)]
mod tests;
mod turn;
mod wanted;

pub use answer::WRAP_UP;
pub use approval::{Approval, ApprovalPolicy};
pub(crate) use ids::CallIds;
#[cfg(feature = "toml")]
pub use limits::LimitsError;
pub use limits::{InvalidLimits, Limits};
pub use machine::Machine;
pub use next::{Next, PlannedCall, SelfAnswered};
pub(crate) use repeat::Circle;
pub use saved::{InvalidSave, SavedMachine};
pub use stop::StopReason;
pub(crate) use wanted::Wanted;
