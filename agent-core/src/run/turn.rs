//! One turn: a reply with tool calls, until each has its result.

use std::collections::BTreeSet;

use serde_json::Value;

use super::next::{PlannedCall, SelfAnswered};
use super::repeat::{RepeatGuard, Verdict};
use super::{ApprovalPolicy, CallIds, Limits, StopReason, Wanted};
use crate::call::read_arguments;
use crate::call::report::{self, Report};
use crate::message::{Arguments, AssistantMessage, ToolCall, ToolResult};
use crate::model::{Reply, RequestedCall};
use crate::tool::Tool;
use crate::toolbox::Toolbox;

/// Calls are compared with those before them in their batch: many calls are many batches.
const LARGEST_BATCH: usize = 256;

#[derive(Debug)]
pub(super) struct Turn {
    pub(super) message: AssistantMessage,
    pub(super) slots: Vec<Slot>,
    /// Planned calls that wait for approval.
    undecided: Vec<PlannedCall>,
    /// Planned calls that are to be run.
    batch: Vec<PlannedCall>,
    /// How many slots, from the first, the repeat guard has been told of; all are answered.
    pub(super) noted: usize,
    stop: Option<StopReason>,
}

#[derive(Debug)]
pub(super) enum Slot {
    Waiting {
        tool: Tool,
        decision: Decision,
    },
    /// `judged` tells whether the repeat guard is to hear of it.
    Answered {
        result: ToolResult,
        judged: bool,
    },
}

/// Whether a call that waits may be run.
#[derive(Debug, Clone)]
pub(super) enum Decision {
    /// As the policy says.
    Open,
    /// Once someone has decided, whatever the policy says now: it was asked about before.
    Asked,
    /// It was approved, to be run with these arguments.
    Approved(Arguments),
}

/// What plans go by.
pub(super) struct Rules<'m> {
    pub(super) guard: &'m mut RepeatGuard,
    pub(super) limits: &'m Limits,
    pub(super) policy: &'m ApprovalPolicy,
    /// The tools whose calls were allowed for the rest of the run.
    pub(super) allowed: &'m BTreeSet<String>,
    pub(super) wanted: Option<&'m Wanted>,
    /// How many calls the run may still make.
    pub(super) left: u32,
}

impl Turn {
    /// A turn of whose slots the guard has been told the first `noted`, as far as they are answered.
    pub(super) fn new(message: AssistantMessage, slots: Vec<Slot>, noted: usize) -> Self {
        let answered = slots.iter().take_while(|slot| matches!(slot, Slot::Answered { .. }));
        let noted = noted.min(answered.count());
        Self { message, slots, undecided: Vec::new(), batch: Vec::new(), noted, stop: None }
    }

    /// Reads the calls of a reply. Those that cannot be run are answered at once.
    pub(super) fn of_reply(
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
                Ok(tool) => Slot::Waiting { tool, decision: Decision::Open },
                Err(report) => {
                    let (slot, answered) = answered(&call, report, false);
                    self_answered.push(SelfAnswered { raw, ..answered });
                    slot
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
        (Self::new(message, slots, 0), self_answered)
    }

    pub(super) fn text(&self) -> &str {
        &self.message.content
    }

    /// The planned calls that wait for approval.
    pub(super) fn undecided(&self) -> &[PlannedCall] {
        &self.undecided
    }

    /// The planned calls that are to be run and have no answer yet.
    pub(super) fn batch(&self) -> &[PlannedCall] {
        &self.batch
    }

    /// Whether nothing is planned.
    pub(super) fn is_idle(&self) -> bool {
        self.batch.is_empty() && self.undecided.is_empty()
    }

    /// Whether a call has no answer yet.
    pub(super) fn is_waiting(&self) -> bool {
        self.first_waiting().is_some()
    }

    /// The first call that has no answer, where nothing is planned.
    pub(super) fn next_call(&self) -> Option<(usize, ToolCall)> {
        let index = self.first_waiting().filter(|_| self.is_idle())?;
        Some((index, self.message.tool_calls.get(index)?.clone()))
    }

    /// Answers a call that is not run.
    pub(super) fn settle(
        &mut self,
        index: usize,
        call: &ToolCall,
        outcome: Result<&str, Report>,
    ) -> SelfAnswered {
        let (slot, answered) = match outcome {
            Ok(content) => self_answered(call, content.to_owned(), false, false),
            Err(report) => answered(call, report, false),
        };
        self.fill(index, slot);
        answered
    }

    /// Takes the answer of a planned call; tells whether it was due.
    pub(super) fn answer(&mut self, index: usize, content: String, is_error: bool) -> bool {
        let Some(PlannedCall { call, .. }) = take(&mut self.batch, index) else { return false };
        let changed = self
            .message
            .tool_calls
            .get(index)
            .is_some_and(|asked| asked.arguments != call.arguments);
        let content = if changed { report::changed(&call.arguments, &content) } else { content };
        let result = ToolResult { call_id: call.id, name: call.name, content, is_error };
        self.fill(index, Slot::Answered { result, judged: true });
        true
    }

    /// Lets a call that waits for approval be run, with `other` arguments if there are any.
    pub(super) fn allow(&mut self, index: usize, other: Option<Arguments>) {
        let Some(mut planned) = take(&mut self.undecided, index) else { return };
        planned.call.arguments = other.unwrap_or(planned.call.arguments);
        let decision = Decision::Approved(planned.call.arguments.clone());
        self.fill(index, Slot::Waiting { tool: planned.tool.clone(), decision });
        let place = self.batch.partition_point(|earlier| earlier.index < index);
        self.batch.insert(place, planned);
    }

    /// Answers a call that waits for approval with a denial.
    pub(super) fn deny(&mut self, index: usize, reason: &str) -> Option<SelfAnswered> {
        let PlannedCall { call, .. } = take(&mut self.undecided, index)?;
        let (slot, answered) = answered(&call, report::denied(reason), true);
        self.fill(index, slot);
        Some(answered)
    }

    /// Plans the next batch: calls that change nothing, side by side, or one that may, alone.
    pub(super) fn plan(&mut self, mut rules: Rules<'_>) -> Vec<SelfAnswered> {
        let mut self_answered = Vec::new();
        self.tell(rules.guard);
        let largest = rules.limits.max_parallel.max(LARGEST_BATCH);
        for index in self.noted..self.slots.len() {
            let Some(Slot::Waiting { tool, .. }) = self.slots.get(index) else { continue };
            let Some(call) = self.message.tool_calls.get(index).cloned() else { break };
            if rules.wanted.is_some_and(|wanted| wanted.is_given_by(tool.name())) {
                break;
            }
            let read_only = tool.annotations().read_only;
            if !self.is_idle()
                && (!read_only
                    || self.repeats_within(index, &call)
                    || rules.guard.may_circle(&call))
            {
                break;
            }
            if rules.left == 0 {
                if self.is_idle() {
                    self_answered.extend(self.end(StopReason::MaxToolCalls));
                }
                break;
            }
            let verdict = if self.is_idle() {
                rules.guard.judge(&call, rules.limits.repeat_limit)
            } else {
                Verdict::Run
            };
            match verdict {
                Verdict::Run => {
                    self.plan_call(index, call, &rules);
                    rules.left -= 1;
                    if !read_only || self.batch.len() + self.undecided.len() >= largest {
                        break;
                    }
                }
                Verdict::Refuse(circle) | Verdict::Stop(circle) => {
                    let (slot, answered) = answered(&call, report::repeated(circle), false);
                    self.fill(index, slot);
                    self_answered.push(answered);
                }
            }
            if matches!(verdict, Verdict::Stop(_)) {
                self_answered.extend(self.end(StopReason::RepeatedCalls));
                break;
            }
        }
        self_answered
    }

    /// Plans one call, to be run or to be approved first.
    fn plan_call(&mut self, index: usize, mut call: ToolCall, rules: &Rules<'_>) {
        let Some(Slot::Waiting { tool, decision }) = self.slots.get_mut(index) else { return };
        let may_run = match decision {
            Decision::Approved(arguments) => {
                call.arguments = arguments.clone();
                true
            }
            Decision::Asked => rules.allowed.contains(tool.name()),
            Decision::Open => {
                rules.allowed.contains(tool.name()) || !rules.policy.applies(tool, &call)
            }
        };
        let tool = tool.clone();
        if may_run {
            self.batch.push(PlannedCall { index, call, tool });
        } else {
            *decision = Decision::Asked;
            self.undecided.push(PlannedCall { index, call, tool });
        }
    }

    /// Answers every call that has no answer, and makes the run stop once the turn is over.
    pub(super) fn end(&mut self, reason: StopReason) -> Vec<SelfAnswered> {
        self.stop = self.stop.or(Some(reason));
        self.batch.clear();
        self.undecided.clear();
        let mut cancelled = Vec::new();
        for (slot, call) in self.slots.iter_mut().zip(&self.message.tool_calls) {
            if matches!(slot, Slot::Waiting { .. }) {
                let report = report::cancelled(reason.why_pending_calls_end());
                let (filled, answered) = answered(call, report, false);
                *slot = filled;
                cancelled.push(answered);
            }
        }
        cancelled
    }

    /// The turn, whole.
    pub(super) fn finish(mut self) -> (AssistantMessage, Vec<ToolResult>, Option<StopReason>) {
        let stop = self.stop;
        self.end(StopReason::Cancelled);
        let results = self.slots.into_iter().filter_map(|slot| match slot {
            Slot::Answered { result, .. } => Some(result),
            Slot::Waiting { .. } => None,
        });
        (self.message, results.collect(), stop)
    }

    /// The first call that has no answer.
    fn first_waiting(&self) -> Option<usize> {
        let rest = self.slots.get(self.noted..)?;
        let place = rest.iter().position(|slot| matches!(slot, Slot::Waiting { .. }))?;
        Some(self.noted + place)
    }

    /// Whether the guard has not heard yet of a like call before the one at `index`.
    fn repeats_within(&self, index: usize, call: &ToolCall) -> bool {
        let unheard = self.message.tool_calls.get(self.noted..index).unwrap_or_default();
        unheard.iter().any(|made| made.name == call.name && made.arguments == call.arguments)
    }

    fn fill(&mut self, index: usize, filled: Slot) {
        if let Some(slot) = self.slots.get_mut(index) {
            *slot = filled;
        }
    }

    /// Tells the guard, in the order of the calls, of those that came to something.
    fn tell(&mut self, guard: &mut RepeatGuard) {
        let from = self.noted;
        let calls = self.message.tool_calls.get(from..).unwrap_or_default();
        for (call, slot) in calls.iter().zip(self.slots.get(from..).unwrap_or_default()) {
            let Slot::Answered { result, judged } = slot else { break };
            if *judged {
                guard.note(call, &result.content);
            }
            self.noted += 1;
        }
    }
}

/// Takes the planned call at this place among the calls of its reply.
fn take(planned: &mut Vec<PlannedCall>, index: usize) -> Option<PlannedCall> {
    let place = planned.iter().position(|planned| planned.index == index)?;
    Some(planned.remove(place))
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

/// A call, answered without being run.
pub(super) fn answered(call: &ToolCall, report: Report, judged: bool) -> (Slot, SelfAnswered) {
    self_answered(call, report.text, true, judged)
}

fn self_answered(
    call: &ToolCall,
    content: String,
    is_error: bool,
    judged: bool,
) -> (Slot, SelfAnswered) {
    let (call_id, name) = (call.id.clone(), call.name.clone());
    let result = ToolResult { call_id, name, content, is_error };
    let answered = SelfAnswered { call: call.clone(), result: result.clone(), raw: None };
    (Slot::Answered { result, judged }, answered)
}
