//! What a caller does with a run, and what must hold of it then.

use std::collections::VecDeque;
use std::time::Duration;

use agent_core::agent::SavedRun;
use agent_core::{Agent, Counts, Limits, Message, Run, StopReason};
use tests::check_transcript;

use super::ledger::Ledger;
use super::tally::{Tallies, Tally};
use super::world::{Caller, Wait, World};

/// The runs of one transcript, each with the place of its question.
pub(super) struct Lives {
    messages: Vec<Message>,
    runs: Vec<Life>,
}

/// How one run ended, or that it was left waiting.
struct Life {
    asked_at: usize,
    stop: StopReason,
    counts: Counts,
    answered: bool,
}

/// Asks as many questions as there are callers.
pub(super) async fn live(agent: &Agent, world: &World, ledger: &Ledger) -> Lives {
    let mut run = agent.start("first");
    let mut waits = VecDeque::from(world.waits.clone());
    let mut runs = Vec::new();
    let mut asked_at = 0;
    for caller in &world.callers {
        if !runs.is_empty() {
            asked_at = asks(&mut run);
        }
        drive(&mut run, *caller).await;
        run = go_on(run, agent, &mut waits, *caller, ledger).await;
        check_transcript(run.transcript()).unwrap();
        let stop = run.stop().expect("a run that is not driven has stopped");
        runs.push(Life { asked_at, stop, counts: run.counts(), answered: run.answer().is_ok() });
    }
    asks(&mut run);
    check_transcript(run.transcript()).unwrap();
    Lives { messages: run.transcript().messages().to_vec(), runs }
}

/// Asks a further question, which cancels what is pending; gives its place in the transcript.
fn asks(run: &mut Run) -> usize {
    run.ask("further");
    run.transcript().messages().len() - 1
}

/// Drives the run as the caller does.
async fn drive(run: &mut Run, caller: Caller) {
    let longest = Duration::from_secs(30);
    match caller {
        Caller::Waits => {
            drop(tokio::time::timeout(longest, run.drive()).await.expect("the run ends"));
        }
        Caller::DropsAfter(time) => drop(tokio::time::timeout(time, run.drive()).await),
        Caller::CancelsAfter(time) => {
            let cancel = run.cancel_token();
            let cancelling = tokio::spawn(async move {
                tokio::time::sleep(time).await;
                cancel.cancel();
            });
            drop(tokio::time::timeout(longest, run.drive()).await.expect("the run ends"));
            cancelling.abort();
        }
    }
}

/// Does about calls that wait what the caller does, until none waits or they are left alone.
async fn go_on(
    mut run: Run,
    agent: &Agent,
    waits: &mut VecDeque<Wait>,
    caller: Caller,
    ledger: &Ledger,
) -> Run {
    while run.stop() == Some(StopReason::AwaitingApproval) {
        let wait = waits.pop_front().unwrap_or(Wait::Leaves);
        match wait {
            Wait::Leaves => return run,
            Wait::Decides(_) => {}
            Wait::Restores(_) => {
                let json = serde_json::to_string(&run.save()).unwrap();
                let saved: SavedRun = serde_json::from_str(&json).unwrap();
                run = agent.restore(saved).unwrap();
            }
        }
        if let Wait::Decides(approval) | Wait::Restores(Some(approval)) = wait {
            let pending = run.pending();
            let first = pending.first().expect("a call waits");
            ledger.decided(run.id(), &first.call, &approval);
            run.decide(first, approval.clone()).unwrap();
            run.decide(first, approval).unwrap_err();
        }
        drive(&mut run, caller).await;
    }
    run
}

impl Lives {
    pub(super) fn check(&self, limits: &Limits, tallies: &Tallies) {
        let tallies = tallies.runs();
        assert_eq!(tallies.len(), self.runs.len(), "each run is told of");
        for (place, (life, tally)) in self.runs.iter().zip(&tallies).enumerate() {
            let end =
                self.runs.get(place + 1).map_or(self.messages.len() - 1, |next| next.asked_at);
            let messages = &self.messages[life.asked_at..end];
            life.check_limits(limits, tally);
            life.check_counts(messages, tally);
            life.check_stop(messages, limits);
        }
    }
}

impl Life {
    fn check_limits(&self, limits: &Limits, tally: &Tally) {
        assert!(tally.replied <= limits.max_steps + u32::from(limits.wrap_up), "{tally:?}");
        assert!(tally.started <= limits.max_tool_calls, "{tally:?}");
        assert!(!tally.asked_over_budget, "{tally:?}");
    }

    /// Messages, events and the run's own counts tell the same.
    fn check_counts(&self, messages: &[Message], tally: &Tally) {
        let count = |is: fn(&Message) -> bool| {
            u32::try_from(messages.iter().filter(|message| is(message)).count()).unwrap()
        };
        let Counts { steps, usage, model_time, .. } = self.counts;
        assert_eq!(steps, count(|message| matches!(message, Message::Assistant(_))));
        assert_eq!((steps, usage, model_time), (tally.replied, tally.usage, tally.model_time));
        assert_eq!(tally.finished, count(|message| matches!(message, Message::Tool(_))));
        assert_eq!(self.counts.tool_time, tally.tool_time);
        // Calls of a turn that waits count once the turn is whole.
        if self.stop != StopReason::AwaitingApproval {
            assert_eq!(self.counts.tool_calls, tally.finished);
        }
        assert_eq!(tally.stopped, Some((self.stop, self.counts)));
    }

    fn check_stop(&self, messages: &[Message], limits: &Limits) {
        let may_answer = matches!(self.stop, StopReason::Answered | StopReason::MaxSteps);
        assert!(may_answer || !self.answered, "{}", self.stop);
        if self.stop == StopReason::Failing {
            let turns = messages.split(|message| !matches!(message, Message::Tool(_)));
            let turns = turns.filter(|results| !results.is_empty());
            let fails =
                |message: &Message| matches!(message, Message::Tool(result) if result.is_error);
            let failed = turns.rev().take_while(|results| results.iter().all(fails)).count();
            assert!(failed >= limits.failing_limit as usize, "{failed} failed");
        }
    }
}
