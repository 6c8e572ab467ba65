//! Who allowed what, and what was run.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent_core::agent::{Approval, ApprovalRequest, Approver};
use agent_core::model::BoxFuture;
use agent_core::{ToolCall, ToolContext, Transcript};
use tests::check_transcript;

use super::tools::panic_quietly;
use super::world::{Decision, Rule};

/// What tools were run for, what was decided, and faults that no one could panic about in place.
#[derive(Default)]
pub(super) struct Ledger {
    made: Mutex<Vec<Made>>,
    decided: Mutex<Vec<Decided>>,
    faults: Mutex<Vec<String>>,
}

#[derive(Debug)]
struct Made {
    run: String,
    call: String,
    tool: &'static str,
    key: String,
}

#[derive(Debug)]
struct Decided {
    run: String,
    call: String,
    tool: String,
    decision: &'static str,
}

impl Ledger {
    /// Notes that a tool is run for a call.
    pub(super) fn run(&self, tool: &'static str, context: &ToolContext) {
        let (run, call) = (context.run_id().to_owned(), context.call_id().to_owned());
        let key = context.idempotency_key();
        self.made.lock().unwrap().push(Made { run, call, tool, key });
    }

    pub(super) fn decided(&self, run: &str, call: &ToolCall, approval: &Approval) {
        self.decided.lock().unwrap().push(Decided {
            run: run.to_owned(),
            call: call.id.clone(),
            tool: call.name.clone(),
            decision: approval.as_str(),
        });
    }

    /// Notes what is wrong with a transcript that someone can see.
    pub(super) fn look_at(&self, transcript: &Transcript) {
        if let Err(fault) = check_transcript(transcript) {
            self.faults.lock().unwrap().push(fault);
        }
    }

    /// Nothing was run twice, nothing was run that was denied, and of what waits by the rule only
    /// what was allowed.
    pub(super) fn check(&self, rule: Rule) {
        assert_eq!(*self.faults.lock().unwrap(), Vec::<String>::new());
        let decided = self.decided.lock().unwrap();
        let mut keys = HashSet::new();
        for made in self.made.lock().unwrap().iter() {
            assert!(keys.insert(made.key.clone()), "run twice: {made:?}");
            let mut about = decided.iter().filter(|decided| decided.run == made.run);
            let of_call = |decided: &&Decided| decided.call == made.call;
            let denied = |decided: &Decided| of_call(&decided) && decided.decision == "deny";
            assert!(!about.clone().any(denied), "denied and run: {made:?}");
            let allowed = about.any(|decided| match decided.decision {
                "allow" | "allow_with" => of_call(&decided),
                "allow_for_run" => decided.tool == made.tool,
                _ => false,
            });
            assert!(allowed || !rule.waits(made.tool), "run without approval: {made:?}");
        }
    }
}

/// An approver that decides at random, and notes it.
pub(super) struct Desk {
    decisions: Mutex<VecDeque<Decision>>,
    ledger: Arc<Ledger>,
}

impl Desk {
    pub(super) fn new(decisions: Vec<Decision>, ledger: Arc<Ledger>) -> Self {
        Self { decisions: Mutex::new(decisions.into()), ledger }
    }
}

impl Approver for Desk {
    fn approve<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            let saved = request.save().expect("a run asks");
            self.ledger.look_at(saved.transcript());
            let decision = self.decisions.lock().unwrap().pop_front();
            let note = |approval| {
                self.ledger.decided(saved.id(), request.call, &approval);
                approval
            };
            match decision {
                Some(Decision::AtOnce(approval)) => note(approval),
                Some(Decision::AfterAWhile(approval)) => {
                    tokio::time::sleep(Duration::from_millis(2)).await;
                    note(approval)
                }
                Some(Decision::Panic) => {
                    note(Approval::deny("panicked"));
                    panic_quietly()
                }
                None => note(Approval::deny("no more")),
            }
        })
    }
}
