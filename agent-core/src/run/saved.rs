//! The state of a run as data, to be kept and to go on from.

use serde::{Deserialize, Serialize};

use super::machine::State;
use super::next::SelfAnswered;
use super::progress::Progress;
use super::turn::{Decision, Slot, Turn, answered};
use super::{Machine, StopReason};
use crate::call::report;
use crate::message::{Arguments, AssistantMessage, Message, ToolCall, ToolResult};
use crate::toolbox::Toolbox;
use crate::transcript::{InvalidTranscript, Transcript};

/// The state of a [`Machine`], as serde writes it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedMachine {
    transcript: Transcript,
    state: SavedState,
    progress: Progress,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedState {
    Model,
    WrapUp,
    /// A turn that is not in the transcript yet.
    Tools {
        message: AssistantMessage,
        calls: Vec<SavedCall>,
        noted: usize,
    },
    Stopped(StopReason),
}

/// What became of one call of the turn.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedCall {
    Answered {
        content: String,
        is_error: bool,
        judged: bool,
    },
    Waiting,
    /// Someone was asked to decide on it.
    Asked,
    /// It was approved, but has not been run.
    Approved {
        /// What was asked for: the approval holds for this alone.
        asked: Arguments,
        /// What it is to be run with.
        run: Arguments,
    },
}

/// What was saved is not the state of a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the state of a run: {0}")]
pub struct InvalidSave(String);

impl From<InvalidTranscript> for InvalidSave {
    fn from(error: InvalidTranscript) -> Self {
        Self(error.to_string())
    }
}

impl SavedMachine {
    /// The transcript. A turn whose calls are not all answered is not in it yet.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Whether the run had ended.
    pub(crate) fn has_stopped(&self) -> bool {
        matches!(self.state, SavedState::Stopped(_))
    }
}

impl Machine {
    /// The state of the run, to be [restored](Self::restored). Calls that are being run at this moment
    /// count as not run.
    #[must_use]
    pub fn save(&self) -> SavedMachine {
        let state = match &self.state {
            State::Model => SavedState::Model,
            State::WrapUp => SavedState::WrapUp,
            State::Stopped(reason) => SavedState::Stopped(*reason),
            State::Tools(turn) | State::Awaiting(turn) => {
                let calls = turn.message.tool_calls.iter().zip(&turn.slots);
                SavedState::Tools {
                    message: turn.message.clone(),
                    calls: calls.map(|(call, slot)| SavedCall::of(call, slot)).collect(),
                    noted: turn.noted,
                }
            }
        };
        let (transcript, progress) = (self.transcript.clone(), self.progress.clone());
        SavedMachine { transcript, state, progress }
    }

    /// The machine, with its own tools, limits and policy, in a saved state.
    ///
    /// What was answered is not run again. Calls on which no one has [decided](Self::decided) are
    /// asked about again. A call whose tool is not in the toolbox is answered
    /// `error(unknown_tool)`.
    ///
    /// # Errors
    ///
    /// What was saved is not the state of a run: the calls of its last reply and what became of
    /// them do not go together.
    pub fn restored(self, saved: SavedMachine) -> Result<Self, InvalidSave> {
        let SavedMachine { transcript, state, progress } = saved;
        let between_steps = matches!(state, SavedState::Model);
        let Self { toolbox, limits, policy, prices, wanted, .. } = self;
        let mut machine =
            Self::new(transcript, toolbox, limits).with_approval_policy(policy).with_prices(prices);
        machine.wanted = wanted;
        machine.progress = progress;
        machine.state = match state {
            // It may have been saved under wider limits.
            SavedState::Model if machine.progress.counts.steps > 0 => machine.after_step(),
            SavedState::Model => State::Model,
            SavedState::WrapUp => {
                let used_up = machine.progress.used_up(&machine.limits);
                used_up.map_or(State::WrapUp, State::Stopped)
            }
            SavedState::Stopped(reason) => State::Stopped(reason),
            SavedState::Tools { message, calls, noted } => {
                check(&machine.transcript, &message, &calls)?;
                message.tool_calls.iter().for_each(|call| machine.ids.note(&call.id));
                let mut slots = Vec::with_capacity(calls.len());
                for (call, saved) in message.tool_calls.iter().zip(calls) {
                    let (slot, self_answered) = saved.slot(call, &machine.toolbox);
                    machine.self_answered.extend(self_answered);
                    slots.push(slot);
                }
                State::Tools(Turn::new(message, slots, noted))
            }
        };
        if between_steps {
            machine.ask_for_wrap_up();
        }
        machine.plan();
        Ok(machine)
    }
}

impl SavedCall {
    fn of(call: &ToolCall, slot: &Slot) -> Self {
        match slot {
            Slot::Answered { result, judged } => Self::Answered {
                content: result.content.clone(),
                is_error: result.is_error,
                judged: *judged,
            },
            Slot::Waiting { decision: Decision::Open, .. } => Self::Waiting,
            Slot::Waiting { decision: Decision::Asked, .. } => Self::Asked,
            Slot::Waiting { decision: Decision::Approved(run), .. } => {
                Self::Approved { asked: call.arguments.clone(), run: run.clone() }
            }
        }
    }

    fn slot(self, call: &ToolCall, toolbox: &Toolbox) -> (Slot, Option<SelfAnswered>) {
        let decision = match self {
            Self::Answered { content, is_error, judged } => {
                let (call_id, name) = (call.id.clone(), call.name.clone());
                let result = ToolResult { call_id, name, content, is_error };
                return (Slot::Answered { result, judged }, None);
            }
            Self::Waiting => Decision::Open,
            Self::Approved { asked, run } if asked == call.arguments => Decision::Approved(run),
            Self::Asked | Self::Approved { .. } => Decision::Asked,
        };
        match toolbox.get(&call.name) {
            Some(tool) => (Slot::Waiting { tool: tool.clone(), decision }, None),
            None => {
                let report = report::unknown_tool(&call.name, &toolbox.nearest(&call.name));
                let (slot, self_answered) = answered(call, report, false);
                (slot, Some(self_answered))
            }
        }
    }
}

/// Checks that the turn, once it is whole, can be appended to the transcript.
fn check(
    transcript: &Transcript,
    message: &AssistantMessage,
    calls: &[SavedCall],
) -> Result<(), InvalidSave> {
    if calls.len() != message.tool_calls.len() || calls.is_empty() {
        let problem = "the calls of its last reply and what became of them differ in number";
        return Err(InvalidSave(problem.to_owned()));
    }
    let results = message.tool_calls.iter().map(|call| {
        let (call_id, name) = (call.id.clone(), call.name.clone());
        Message::Tool(ToolResult { call_id, name, content: String::new(), is_error: false })
    });
    let mut messages = transcript.messages().to_vec();
    messages.push(Message::Assistant(message.clone()));
    messages.extend(results);
    Transcript::try_from(messages)?;
    Ok(())
}
