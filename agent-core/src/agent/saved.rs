//! A run as data, to go on from in another process.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Agent, Run};
use crate::call::as_read;
use crate::message::ToolCall;
use crate::run::{InvalidSave, Machine, PlannedCall, SavedMachine};
use crate::transcript::Transcript;
use crate::usage::milliseconds;

/// The form that is written. Another version says so when it is read.
const VERSION: u32 = 1;

/// A run as serde writes it: its transcript, its pending calls and what it has used.
///
/// It holds the arguments of calls as they are, secrets included, and what was decided on them. Keep it
/// where only those who may see these can read it, and only those who may decide can change it: whoever
/// changes it decides.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedRun {
    #[serde(deserialize_with = "version")]
    version: u32,
    run_id: String,
    question: String,
    #[serde(rename = "driven_ms", with = "milliseconds")]
    driven: Duration,
    pending: Vec<PendingCall>,
    machine: SavedMachine,
}

/// A call that waits for approval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingCall {
    /// Its place among the calls of its reply.
    pub index: usize,
    /// The call, with its arguments as the tool will read them. A decision holds for exactly these.
    pub call: ToolCall,
}

/// A decision is about a call that does not wait for one: it was decided on before, or its arguments
/// are others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no call `{id}` of `{name}` with these arguments waits for approval; ask the run which calls do"
)]
pub struct NotPending {
    id: String,
    name: String,
}

impl NotPending {
    pub(super) fn new(pending: &PendingCall) -> Self {
        Self { id: pending.call.id.clone(), name: pending.call.name.clone() }
    }
}

impl SavedRun {
    pub(super) fn of(run: &Run) -> Self {
        Self {
            version: VERSION,
            run_id: run.id.to_string(),
            question: run.question.clone(),
            driven: run.driven(),
            pending: run.pending(),
            machine: run.machine.save(),
        }
    }

    /// The calls that wait for approval.
    #[must_use]
    pub fn pending(&self) -> &[PendingCall] {
        &self.pending
    }

    /// The id of the run.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.run_id
    }

    /// What was asked.
    #[must_use]
    pub fn question(&self) -> &str {
        &self.question
    }

    /// The messages so far. The turn whose calls are pending is not among them yet.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        self.machine.transcript()
    }
}

impl From<&PlannedCall> for PendingCall {
    fn from(planned: &PlannedCall) -> Self {
        let PlannedCall { index, call, tool } = planned;
        Self { index: *index, call: as_read(tool, call) }
    }
}

impl Agent {
    /// Goes on from a saved run, mostly in another process: [decide](Run::decide) on its pending calls
    /// if you know the decisions, and [drive](Run::drive) it; for any other the agent's approver is
    /// asked. What was answered is not run again, and idempotency keys are the same.
    ///
    /// Its tools, limits and model are those of this agent; counts go on from what was used. A run of
    /// [`run_as`](Self::run_as) goes on with [`restore_as`](Self::restore_as).
    ///
    /// # Errors
    ///
    /// What was saved is not the state of a run.
    pub fn restore(&self, saved: SavedRun) -> Result<Run, InvalidSave> {
        self.restore_into(self.machine(Transcript::new()), saved)
    }

    pub(super) fn restore_into(
        &self,
        machine: Machine,
        saved: SavedRun,
    ) -> Result<Run, InvalidSave> {
        let SavedRun { run_id, question, driven, machine: state, .. } = saved;
        let told = state.has_stopped();
        let machine = machine.restored(state)?;
        let mut run = Run::idle(self.clone(), machine);
        run.told = told;
        run.id = run_id.into();
        run.question = question;
        run.driven = driven;
        Ok(run)
    }
}

fn version<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(deserializer)?;
    if version == VERSION {
        return Ok(version);
    }
    Err(serde::de::Error::custom(format_args!(
        "it was saved in the form of version {version}, and this program reads version {VERSION}; \
         go on from it with the program that saved it"
    )))
}
