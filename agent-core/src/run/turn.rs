//! One turn: a reply with tool calls, until each has its result.

use serde_json::Value;

use super::next::{PlannedCall, SelfAnswered};
use super::repeat::{RepeatGuard, Verdict};
use super::{CallIds, Limits, StopReason};
use crate::call::read_arguments;
use crate::call::report::{self, Report};
use crate::message::{Arguments, AssistantMessage, ToolCall, ToolResult};
use crate::model::{Reply, RequestedCall};
use crate::tool::Tool;
use crate::toolbox::Toolbox;

#[derive(Debug)]
pub(super) struct Turn {
    message: AssistantMessage,
    slots: Vec<Slot>,
    batch: Vec<PlannedCall>,
    /// How many slots, from the first, the repeat guard has been told of.
    noted: usize,
    stop: Option<StopReason>,
}

#[derive(Debug)]
enum Slot {
    Waiting(Tool),
    /// `ran` tells whether the tool was run for it.
    Answered {
        result: ToolResult,
        ran: bool,
    },
}

impl Turn {
    /// Reads the calls of a reply. Those that cannot be run are answered at once.
    pub(super) fn new(
        reply: Reply,
        toolbox: &Toolbox,
        ids: &mut CallIds,
    ) -> (Self, Vec<SelfAnswered>) {
        let mut calls = Vec::with_capacity(reply.tool_calls.len());
        let mut slots = Vec::with_capacity(reply.tool_calls.len());
        let mut self_answered = Vec::new();
        for RequestedCall { id, name, arguments: raw } in reply.tool_calls {
            let (arguments, raw, tool) = read(&name, raw, toolbox, reply.finish.is_cut());
            let call = ToolCall { id: ids.claim(id), name, arguments };
            slots.push(match tool {
                Ok(tool) => Slot::Waiting(tool),
                Err(report) => {
                    let result = error_result(&call, report);
                    self_answered.push(SelfAnswered {
                        call: call.clone(),
                        result: result.clone(),
                        raw,
                    });
                    Slot::Answered { result, ran: false }
                }
            });
            calls.push(call);
        }
        let message = AssistantMessage {
            content: reply.text,
            reasoning: reply.reasoning,
            tool_calls: calls,
            provider_data: reply.provider_data,
        };
        (Self { message, slots, batch: Vec::new(), noted: 0, stop: None }, self_answered)
    }

    pub(super) fn text(&self) -> &str {
        &self.message.content
    }

    /// The planned calls that have no answer yet.
    pub(super) fn batch(&self) -> &[PlannedCall] {
        &self.batch
    }

    /// Takes the answer of a planned call; tells whether it was due.
    pub(super) fn answer(&mut self, index: usize, content: String, is_error: bool) -> bool {
        let Some(place) = self.batch.iter().position(|planned| planned.index == index) else {
            return false;
        };
        let PlannedCall { call, .. } = self.batch.remove(place);
        let result = ToolResult { call_id: call.id, name: call.name, content, is_error };
        if let Some(slot) = self.slots.get_mut(index) {
            *slot = Slot::Answered { result, ran: true };
        }
        true
    }

    /// Plans the next batch: calls that change nothing, side by side, or one that may, alone.
    ///
    /// `left` is how many calls the run may still make.
    pub(super) fn plan(
        &mut self,
        guard: &mut RepeatGuard,
        limits: &Limits,
        mut left: u32,
    ) -> Vec<SelfAnswered> {
        let mut self_answered = Vec::new();
        self.tell(guard);
        for (index, call) in self.message.tool_calls.iter().enumerate() {
            let Some(Slot::Waiting(tool)) = self.slots.get(index) else { continue };
            let read_only = tool.annotations().read_only;
            let alike = |planned: &PlannedCall| {
                planned.call.name == call.name && planned.call.arguments == call.arguments
            };
            if !self.batch.is_empty() && (!read_only || self.batch.last().is_some_and(alike)) {
                break;
            }
            if left == 0 {
                self_answered
                    .extend(self.cancel_rest(StopReason::MaxToolCalls.why_pending_calls_end()));
                self.stop = self.stop.or(Some(StopReason::MaxToolCalls));
                break;
            }
            let verdict = if self.batch.is_empty() {
                guard.judge(call, limits.repeat_limit)
            } else {
                Verdict::Run
            };
            match verdict {
                Verdict::Run => {
                    self.batch.push(PlannedCall { index, call: call.clone(), tool: tool.clone() });
                    left -= 1;
                    if !read_only {
                        break;
                    }
                }
                Verdict::Refuse(times) | Verdict::Stop(times) => {
                    let result = error_result(call, report::repeated(times));
                    self_answered.push(SelfAnswered {
                        call: call.clone(),
                        result: result.clone(),
                        raw: None,
                    });
                    if let Some(slot) = self.slots.get_mut(index) {
                        *slot = Slot::Answered { result, ran: false };
                    }
                    if matches!(verdict, Verdict::Stop(_)) {
                        self.stop = Some(StopReason::RepeatedCalls);
                        self_answered.extend(
                            self.cancel_rest(StopReason::RepeatedCalls.why_pending_calls_end()),
                        );
                        break;
                    }
                }
            }
        }
        self_answered
    }

    /// Answers every call that has no answer.
    pub(super) fn cancel_rest(&mut self, why: &str) -> Vec<SelfAnswered> {
        self.batch.clear();
        let mut cancelled = Vec::new();
        for (slot, call) in self.slots.iter_mut().zip(&self.message.tool_calls) {
            if matches!(slot, Slot::Waiting(_)) {
                let result = error_result(call, report::cancelled(why));
                cancelled.push(SelfAnswered {
                    call: call.clone(),
                    result: result.clone(),
                    raw: None,
                });
                *slot = Slot::Answered { result, ran: false };
            }
        }
        cancelled
    }

    /// Makes the run stop once the turn is over.
    pub(super) fn stop_after(&mut self, reason: StopReason) {
        self.stop = Some(reason);
    }

    /// The turn, whole.
    pub(super) fn finish(mut self) -> (AssistantMessage, Vec<ToolResult>, Option<StopReason>) {
        self.cancel_rest(StopReason::Cancelled.why_pending_calls_end());
        let results = self.slots.into_iter().filter_map(|slot| match slot {
            Slot::Answered { result, .. } => Some(result),
            Slot::Waiting(_) => None,
        });
        (self.message, results.collect(), self.stop)
    }

    /// Tells the guard, in the order of the calls, of those that were run.
    fn tell(&mut self, guard: &mut RepeatGuard) {
        let calls = self.message.tool_calls.iter().zip(&self.slots).skip(self.noted);
        for (call, slot) in calls {
            let Slot::Answered { result, ran } = slot else { break };
            if *ran {
                guard.note(call, &result.content);
            }
            self.noted += 1;
        }
    }
}

type Reading = (Arguments, Option<Value>, Result<Tool, Report>);

/// Reads one call: its arguments, these as they came if they could not be read, and its tool.
fn read(name: &str, raw: Value, toolbox: &Toolbox, cut: bool) -> Reading {
    let tool = toolbox
        .get(name)
        .cloned()
        .ok_or_else(|| report::unknown_tool(name, &toolbox.nearest(name)));
    match read_arguments(raw) {
        Ok(map) if cut => (map.into(), None, tool.and(Err(report::cut_off()))),
        Ok(map) => (map.into(), None, tool),
        Err((raw, report)) => {
            let report = if cut { report::cut_off() } else { report };
            (Arguments::default(), Some(raw), tool.and(Err(report)))
        }
    }
}

fn error_result(call: &ToolCall, report: Report) -> ToolResult {
    ToolResult {
        call_id: call.id.clone(),
        name: call.name.clone(),
        content: report.text,
        is_error: true,
    }
}
