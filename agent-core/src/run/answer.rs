//! The answer of a run: how it is taken, and how it is asked for once more.

use std::sync::Arc;

use super::machine::State;
use super::{Machine, StopReason, Wanted};
use crate::message::AssistantMessage;
use crate::model::{FinishReason, Reply};
use crate::tool::Tool;

/// What the model is told when its steps are used up and one last answer is asked for.
pub const WRAP_UP: &str = "The limit of steps is reached and no tool can be called any more. Answer now from what is known \
                       so far, and say what is missing.";

impl Machine {
    /// Has the answers from now on be what is `wanted`. `tool` is the one that they are given with.
    pub(crate) fn want(&mut self, wanted: Wanted, tool: Option<Tool>) {
        if let Some(tool) = tool {
            self.toolbox = Arc::new(self.toolbox.and(tool));
        }
        self.wanted = Some(wanted);
    }

    /// The tools that the next request offers.
    pub(crate) fn offered(&self) -> &[Tool] {
        match self.state {
            State::WrapUp => self.answering_tool().map_or(&[], std::slice::from_ref),
            _ => self.toolbox.tools(),
        }
    }

    /// Takes a reply that calls no tool: the answer, mostly.
    pub(super) fn finish_without_calls(&mut self, reply: Reply, wrap_up: bool) {
        self.state = match (wrap_up, reply.finish) {
            (true, _) => State::Stopped(StopReason::MaxSteps),
            (false, FinishReason::Pause) => self.after_step(),
            (false, _) => State::Stopped(stop_of(&reply)),
        };
        let may_answer = match self.state {
            State::Stopped(StopReason::Answered | StopReason::MaxSteps) => true,
            State::Stopped(StopReason::Empty) => self.wanted.is_some(),
            _ => false,
        };
        let unfit = if may_answer { self.keep_answer(&reply.text).err() } else { None };
        let message = AssistantMessage {
            content: reply.text,
            reasoning: reply.reasoning,
            tool_calls: Vec::new(),
            provider_data: reply.provider_data,
        };
        self.transcript.push_turn(message, Vec::new());
        if let Some(unfit) = unfit.filter(|_| !wrap_up) {
            self.ask_again(unfit);
        }
        self.ask_for_wrap_up();
    }

    /// Asks for the last answer where it is due.
    pub(super) fn ask_for_wrap_up(&mut self) {
        if matches!(self.state, State::WrapUp) {
            let tool = self.answering_tool().map(|tool| wrap_up_by_call(tool.name()));
            self.transcript.push_user(tool.unwrap_or_else(|| WRAP_UP.to_owned()));
        }
    }

    /// Keeps the answer that a text is. Gives what to tell the model of one that is not what is
    /// wanted.
    pub(super) fn keep_answer(&mut self, text: &str) -> Result<(), String> {
        self.progress.answer = match &self.wanted {
            Some(wanted) => Some(wanted.of_text(text)?),
            None => (!text.trim().is_empty()).then(|| text.to_owned()),
        };
        Ok(())
    }

    /// Sends an answer that is not what is wanted back to the model, if it was not done too often.
    fn ask_again(&mut self, unfit: String) {
        self.state = match self.is_unfit_once_more() {
            true => State::Stopped(StopReason::InvalidAnswer),
            false => self.after_step(),
        };
        if matches!(self.state, State::Model | State::WrapUp) {
            self.transcript.push_user(unfit);
        }
    }

    /// Counts an answer that is not what is wanted; tells whether it was one too many.
    fn is_unfit_once_more(&mut self) -> bool {
        self.progress.unfit = self.progress.unfit.saturating_add(1);
        self.progress.unfit > self.limits.answer_retries
    }

    /// Takes the answer where the next calls of the turn give one. No tool is run for it, so neither
    /// an approval nor a limit stands in its way.
    pub(super) fn take_answers(&mut self) {
        while let (State::Tools(turn), Some(wanted)) = (&mut self.state, &self.wanted)
            && let Some((index, call)) = turn.next_call()
            && wanted.is_given_by(&call.name)
        {
            let stop = match wanted.of_call(&call.arguments) {
                Ok(answer) => {
                    self.self_answered.push(turn.settle(index, &call, Ok("ok")));
                    self.progress.answer = Some(answer);
                    Some(self.stop_with_answer())
                }
                Err(report) => {
                    self.self_answered.push(turn.settle(index, &call, Err(report)));
                    self.is_unfit_once_more().then_some(StopReason::InvalidAnswer)
                }
            };
            if let (State::Tools(turn), Some(stop)) = (&mut self.state, stop) {
                self.self_answered.extend(turn.end(stop));
            }
        }
    }

    /// The last request, after the last step, is no answer in time.
    fn stop_with_answer(&self) -> StopReason {
        match self.progress.counts.steps > self.limits.max_steps {
            true => StopReason::MaxSteps,
            false => StopReason::Answered,
        }
    }

    /// The tool whose call is the answer, if there is one.
    pub(super) fn answering_tool(&self) -> Option<&Tool> {
        self.toolbox.get(self.wanted.as_ref()?.tool.as_deref()?)
    }
}

/// What the model is told in place of [`WRAP_UP`] where its answer is a call.
fn wrap_up_by_call(tool: &str) -> String {
    format!(
        "The limit of steps is reached and no other tool can be called any more. Call `{tool}` now, with \
         what is known so far."
    )
}

/// How a reply without tool calls ends the run.
fn stop_of(reply: &Reply) -> StopReason {
    match reply.finish {
        FinishReason::Length | FinishReason::ContentFilter => StopReason::Incomplete,
        FinishReason::Refusal => StopReason::Refused,
        _ if reply.text.trim().is_empty() => StopReason::Empty,
        _ => StopReason::Answered,
    }
}
