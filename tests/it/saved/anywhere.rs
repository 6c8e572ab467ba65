//! Saving and restoring at every point of a run changes nothing about it.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use agent_core::model::FinishReason;
use agent_core::run::{Approval, ApprovalPolicy, Machine, Next, PlannedCall, SavedMachine};
use agent_core::{Counts, Limits, Reply, StopReason, Toolbox, Transcript, Usage, tool, tools};
use proptest::prelude::*;
use serde_json::json;
use tests::check_transcript;

#[tool("Look.", read_only, register = false)]
fn look(n: u8) -> u8 {
    n
}

#[tool("Look at what is private.", read_only, needs_approval, register = false)]
fn peek(n: u8) -> u8 {
    n
}

#[tool("Touch.", register = false)]
fn touch(n: u8) -> u8 {
    n
}

#[tool("Remove.", needs_approval, register = false)]
fn remove(n: u8) -> u8 {
    n
}

static TOOLS: LazyLock<Arc<Toolbox>> =
    LazyLock::new(|| Arc::new(Toolbox::new(tools![look, peek, touch, remove]).unwrap()));

/// What everyone but the machine does. Nothing in it hangs on the order of events.
#[derive(Debug, Clone)]
struct World {
    replies: Vec<Reply>,
    limits: Limits,
    /// By the argument of the call.
    decisions: Vec<Approval>,
    /// After how many replies a second question is asked.
    second_after: usize,
    /// Whether of several calls the last is answered first.
    backwards: bool,
}

/// What a run came to.
#[derive(Debug, PartialEq)]
struct End {
    transcript: Transcript,
    counts: Counts,
    stop: StopReason,
    answer: Option<String>,
}

fn new_machine(limits: &Limits) -> Machine {
    let policy = ApprovalPolicy::new().when(|_, call| call.arguments["n"] == 3);
    Machine::new(Transcript::new(), Arc::clone(&TOOLS), limits.clone()).with_approval_policy(policy)
}

impl World {
    /// Drives a machine to its end; `between` has it after each event.
    fn run(&self, between: impl Fn(Machine) -> Machine) -> End {
        let mut machine = between(new_machine(&self.limits));
        machine.ask("first");
        let mut replies = self.replies.iter();
        let (mut replied, mut put_off) = (0, HashSet::new());
        loop {
            machine = between(machine);
            match machine.next() {
                Next::CallModel { .. } => {
                    let reply = replies.next().cloned().unwrap_or_else(|| Reply::text("done"));
                    machine.replied(reply, Duration::from_micros(1234));
                    replied += 1;
                    if replied == self.second_after {
                        machine = between(machine);
                        machine.ask("second");
                    }
                }
                Next::Approve(calls) => {
                    let call = calls[0].clone();
                    let first = put_off.insert(call.call.id.clone());
                    machine.decided(call.index, self.decision(&call, first));
                }
                Next::RunTools(calls) => {
                    let call = if self.backwards { calls.last() } else { calls.first() };
                    let call = call.expect("there is a call to run").clone();
                    let (content, is_error) = outcome(machine.counts().steps, &call);
                    machine.answered(call.index, content, is_error, Duration::from_nanos(777));
                }
                Next::Stopped(StopReason::AwaitingApproval) => {
                    let call = machine.undecided()[0].clone();
                    machine.decided(call.index, self.decision(&call, false));
                }
                Next::Stopped(stop) => {
                    check_transcript(machine.transcript()).unwrap();
                    return End {
                        transcript: machine.transcript().clone(),
                        counts: machine.counts(),
                        stop,
                        answer: machine.answer().map(str::to_owned),
                    };
                }
                next => panic!("unknown to this driver: {next:?}"),
            }
        }
    }

    /// A decision by the call alone; `Later` the first time at most.
    fn decision(&self, call: &PlannedCall, first: bool) -> Approval {
        let n = call.call.arguments["n"].as_u64().unwrap_or(0);
        match &self.decisions[n as usize % self.decisions.len()] {
            Approval::Later if !first => Approval::Allow,
            decision => decision.clone(),
        }
    }
}

/// What a call comes to: the same each time, an error, or news.
fn outcome(step: u32, call: &PlannedCall) -> (String, bool) {
    match call.call.arguments["n"].as_u64() {
        Some(1) => ("error(failed): as ever".to_owned(), true),
        Some(2) => (format!("new in step {step}"), false),
        _ => ("the same".to_owned(), false),
    }
}

fn restored(machine: Machine, limits: &Limits) -> Machine {
    let json = serde_json::to_string(&machine.save()).unwrap();
    let saved: SavedMachine = serde_json::from_str(&json).unwrap();
    new_machine(limits).restored(saved).unwrap()
}

fn reply() -> impl Strategy<Value = Reply> {
    let name = prop::sample::select(vec!["look", "look", "peek", "touch", "remove", "luck"]);
    let id = prop::sample::select(vec!["", "", "a", "c00000007"]);
    let calls = prop::collection::vec((id, name, 0_u8..4), 0..5);
    let finish = prop_oneof![
        12 => Just(FinishReason::Stop),
        1 => Just(FinishReason::Length),
        1 => Just(FinishReason::Pause),
    ];
    (prop::bool::weighted(0.9), calls, finish, 0_u64..20).prop_map(|(calling, calls, finish, n)| {
        let usage = Usage { prompt_tokens: n, completion_tokens: 2, cached_tokens: n / 2 };
        let reply = Reply::text("text").with_finish(finish).with_usage(usage);
        let calls = if calling { calls } else { Vec::new() };
        let add = |reply: Reply, (id, name, n)| reply.and_call_with_id(id, name, json!({ "n": n }));
        calls.into_iter().fold(reply, add)
    })
}

fn decision() -> impl Strategy<Value = Approval> {
    let other = |n: u8| Approval::allow_with(serde_json::Map::from_iter([("n".into(), n.into())]));
    prop_oneof![
        2 => Just(Approval::Allow),
        1 => Just(Approval::AllowForRun),
        2 => (0_u8..4).prop_map(other),
        2 => Just(Approval::deny("no")),
        2 => Just(Approval::Later),
    ]
}

fn limits() -> impl Strategy<Value = Limits> {
    let budget = prop_oneof![3 => Just(None), 1 => (1_u64..100).prop_map(Some)];
    let circles = prop::sample::select(vec![0, 2, 3]);
    (1_u32..9, 0_u32..20, budget, circles, 0_u32..4, any::<bool>()).prop_map(
        |(max_steps, max_tool_calls, token_budget, repeat_limit, failing_limit, wrap_up)| Limits {
            max_steps,
            max_tool_calls,
            token_budget,
            repeat_limit,
            failing_limit,
            wrap_up,
            ..Limits::default()
        },
    )
}

fn world() -> impl Strategy<Value = World> {
    let replies = prop::collection::vec(reply(), 1..9);
    let decisions = prop::collection::vec(decision(), 1..5);
    (replies, limits(), decisions, 1_usize..12, any::<bool>()).prop_map(
        |(replies, limits, decisions, second_after, backwards)| World {
            replies,
            limits,
            decisions,
            second_after,
            backwards,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_run_that_is_saved_and_restored_after_each_event_ends_like_one_that_is_not(world in world()) {
        let kept = world.run(|machine| restored(machine, &world.limits));
        prop_assert_eq!(world.run(|machine| machine), kept);
    }
}
