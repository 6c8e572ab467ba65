//! Running one tool call to its answer, whatever the tool does.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use futures_util::{FutureExt, TryFutureExt};
use tokio::runtime::Handle;

use super::report::{self, Report};
use super::{ErrorKind, Notes, cut, fit_arguments};
use crate::macros_support::{Args, Call, CallError, Returned};
use crate::message::Arguments;
use crate::tool::{Source, StateMap, Tool, ToolContext, ToolError};
use crate::unwind;

/// What a call comes to.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) content: String,
    pub(crate) error: Option<ErrorKind>,
    /// How long the tool ran.
    pub(crate) time: Duration,
    /// What was read otherwise than it was written.
    pub(crate) notes: Notes,
    /// Set if the run ends here, shared since answers are cloned.
    pub(crate) fatal: Option<Arc<ToolError>>,
}

impl From<Report> for Answer {
    fn from(Report { kind, text }: Report) -> Self {
        Self {
            content: text,
            error: Some(kind),
            time: Duration::ZERO,
            notes: Vec::new(),
            fatal: None,
        }
    }
}

/// The limits of a call, from the run's own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallLimits {
    pub(crate) timeout: Duration,
    pub(crate) max_chars: usize,
}

/// One call on its way.
///
/// It outlives the future that waits for it: a tool on a thread of its own leaves its answer here
/// even when no one is waiting any more.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    tool: Tool,
    arguments: Arguments,
    states: StateMap,
    context: ToolContext,
    limits: CallLimits,
    answer: Arc<OnceLock<Answer>>,
}

impl Job {
    /// A call of `tool`, whose own limits go before those of the run.
    pub(crate) fn new(
        tool: Tool,
        arguments: Arguments,
        states: StateMap,
        mut context: ToolContext,
        limits: CallLimits,
    ) -> Self {
        let limits = CallLimits {
            timeout: tool.timeout().unwrap_or(limits.timeout),
            max_chars: tool.max_output().unwrap_or(limits.max_chars),
        };
        if !matches!(tool.source(), Source::Function(spec) if spec.inline) {
            let own = Instant::now().checked_add(limits.timeout);
            context.deadline = [context.deadline, own].into_iter().flatten().min();
        }
        Self { tool, arguments, states, context, limits, answer: Arc::default() }
    }

    /// The answer, if the tool has given it.
    pub(crate) fn answer(&self) -> Option<&Answer> {
        self.answer.get()
    }

    /// Runs the call to its answer.
    pub(crate) async fn run(&self) -> Answer {
        let schema = self.tool.schema();
        let fitted = fit_arguments(schema, &self.arguments);
        let (notes, problems) = (fitted.notes, fitted.problems);
        // Whichever way this future ends, no one waits for the tool any more.
        let _cancel = self.context.cancelled.clone().drop_guard();
        let finish = Finish {
            tool: self.tool.clone(),
            notes,
            problems,
            started: Instant::now(),
            max_chars: self.limits.max_chars,
        };
        let answer = if schema.parameters.is_empty() && !finish.problems.is_empty() {
            finish.refusal(Vec::new()).into()
        } else {
            // The tool's own faults are caught where they happen; its value, its error or its
            // future may still panic when they are read or dropped.
            match AssertUnwindSafe(self.call(fitted.values, finish)).catch_unwind().await {
                Ok(answer) => answer,
                Err(panic) => self.after_panic(panic),
            }
        };
        self.answer.get_or_init(|| answer).clone()
    }

    async fn call(&self, values: Arguments, finish: Finish) -> Answer {
        let spec = match self.tool.source() {
            Source::Function(spec) => spec,
            Source::Dynamic(tool) => {
                let found = (tool.check)(&values, &finish.problems);
                if !finish.problems.is_empty() || !found.is_empty() {
                    return finish.answer(Ok(Err(CallError::Arguments(found))));
                }
                let call = async { (tool.call)(values, self.context.clone()).await };
                return self.in_time(call.map_err(CallError::Tool), finish).await;
            }
        };
        let args = Args {
            values,
            problems: finish.problems.clone(),
            states: self.states.clone(),
            context: self.context.clone(),
        };
        match spec.call {
            Call::Sync(call) if spec.inline => finish.answer(catch(|| call(&args))),
            Call::Sync(call) => self.on_thread(call, args, finish).await,
            Call::Async(call) => self.in_time(async move { call(args).await }, finish).await,
        }
    }

    fn after_panic(&self, panic: Panic) -> Answer {
        report::panicked(self.tool.name(), &panic_message(panic)).into()
    }

    async fn in_time(&self, call: impl Future<Output = Returned>, finish: Finish) -> Answer {
        let call = AssertUnwindSafe(call).catch_unwind();
        match tokio::time::timeout(self.limits.timeout, call).await {
            Ok(returned) => finish.answer(returned),
            Err(_) => finish.timed_out(self.limits.timeout),
        }
    }

    /// Runs a sync tool on a thread that holds up neither the run nor the end of the process.
    async fn on_thread(&self, call: fn(&Args) -> Returned, args: Args, finish: Finish) -> Answer {
        let slot = Arc::clone(&self.answer);
        let runtime = Handle::try_current().ok();
        let started = finish.started;
        let (done, wait) = tokio::sync::oneshot::channel::<()>();
        let work = move || {
            // It may have waited for its thread until no one waits for it any more.
            if args.context.cancelled.is_cancelled() {
                return;
            }
            let _runtime = runtime.as_ref().map(Handle::enter);
            let name = finish.tool.name().to_owned();
            let ran = catch_unwind(AssertUnwindSafe(|| finish.answer(catch(|| call(&args)))));
            let answer =
                ran.unwrap_or_else(|panic| report::panicked(&name, &panic_message(panic)).into());
            slot.get_or_init(|| answer);
            drop(done);
        };
        blocking::unblock(work).detach();
        match tokio::time::timeout(self.limits.timeout, wait).await {
            Ok(_) => self
                .answer
                .get()
                .cloned()
                .unwrap_or_else(|| report::panicked(self.tool.name(), "no answer").into()),
            Err(_) => {
                let time = started.elapsed();
                Answer { time, ..report::timed_out(self.tool.name(), self.limits.timeout).into() }
            }
        }
    }
}

/// Makes an answer of what a tool did.
struct Finish {
    tool: Tool,
    notes: Notes,
    problems: Vec<super::Problem>,
    started: Instant,
    max_chars: usize,
}

type Panic = Box<dyn Any + Send>;

impl Finish {
    fn answer(self, returned: Result<Returned, Panic>) -> Answer {
        let mut fatal = None;
        let answer = match returned {
            Ok(Err(CallError::Arguments(more))) => self.refusal(more).into(),
            Ok(Ok(content)) => Answer {
                content,
                error: None,
                time: Duration::ZERO,
                notes: Vec::new(),
                fatal: None,
            },
            Ok(Err(CallError::Tool(error))) => {
                let report = report::failed(&error);
                fatal = error.is_fatal().then(|| Arc::new(error));
                report.into()
            }
            Err(panic) => report::panicked(self.tool.name(), &panic_message(panic)).into(),
        };
        Answer {
            content: cut(&answer.content, self.max_chars).into_owned(),
            time: self.started.elapsed(),
            notes: self.notes,
            fatal,
            ..answer
        }
    }

    fn timed_out(self, limit: Duration) -> Answer {
        let report = report::timed_out(self.tool.name(), limit);
        Answer { time: self.started.elapsed(), notes: self.notes, ..report.into() }
    }

    fn refusal(&self, more: Vec<super::Problem>) -> Report {
        let mut problems = self.problems.clone();
        problems.extend(more);
        let accepted: Vec<&str> =
            self.tool.schema().parameters.iter().map(|p| p.name.as_str()).collect();
        report::invalid_arguments(&problems, &accepted)
    }
}

fn catch(call: impl FnOnce() -> Returned) -> Result<Returned, Panic> {
    catch_unwind(AssertUnwindSafe(call))
}

/// What a panic said. It is not dropped, since dropping it could panic again.
fn panic_message(panic: Panic) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    unwind::forget(panic);
    text.unwrap_or_else(|| "it gave no message".to_owned())
}
