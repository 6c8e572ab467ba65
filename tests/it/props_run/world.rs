//! Everything that surrounds a run, at random.

use std::time::Duration;

use agent_core::agent::{Approval, ApprovalPolicy};
use agent_core::model::FinishReason;
use agent_core::{Cost, Limits, Reply, Usage};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::tools;

#[derive(Debug, Clone)]
pub(super) struct World {
    pub(super) replies: Vec<Reply>,
    /// How long the model takes for each.
    pub(super) thinking: Duration,
    pub(super) limits: Limits,
    pub(super) rule: Rule,
    /// What the approver decides, one after the other, if there is one; after that it denies.
    pub(super) decisions: Option<Vec<Decision>>,
    /// What the callers do about calls that wait; after that they leave them.
    pub(super) waits: Vec<Wait>,
    /// For each question, what its caller does.
    pub(super) callers: Vec<Caller>,
}

/// Which calls wait beside those of tools that need approval.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    None,
    Every,
    Changes,
    Panics,
}

#[derive(Debug, Clone)]
pub(super) enum Decision {
    AtOnce(Approval),
    AfterAWhile(Approval),
    Panic,
}

#[derive(Debug, Clone)]
pub(super) enum Wait {
    /// Decides on the first call that waits and drives on.
    Decides(Approval),
    /// Saves, restores, may decide, and drives on.
    Restores(Option<Approval>),
    Leaves,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Caller {
    Waits,
    CancelsAfter(Duration),
    DropsAfter(Duration),
}

impl Rule {
    pub(super) fn policy(self) -> ApprovalPolicy {
        let policy = ApprovalPolicy::new();
        match self {
            Self::None => policy,
            Self::Every => policy.every_call(),
            Self::Changes => policy.not_read_only(),
            Self::Panics => policy.when(|_, _| tools::panic_quietly()),
        }
    }

    /// Whether a call of this tool waits.
    pub(super) fn waits(self, tool: &str) -> bool {
        tools::needs_approval(tool)
            || match self {
                Self::None => false,
                Self::Every | Self::Panics => true,
                Self::Changes => !tools::is_read_only(tool),
            }
    }
}

pub(super) fn world() -> impl Strategy<Value = World> {
    let thinking = prop_oneof![4 => Just(0), 1 => 1_u64..1500].prop_map(Duration::from_micros);
    let rule = prop_oneof![
        7 => Just(Rule::None),
        1 => Just(Rule::Every),
        2 => Just(Rule::Changes),
        1 => Just(Rule::Panics),
    ];
    let decisions = option::weighted(0.9, prop::collection::vec(decision(), 0..9));
    let waits = prop::collection::vec(wait(), 0..9);
    let callers = prop::collection::vec(caller(), 1..4);
    (replies(), thinking, limits(), rule, decisions, waits, callers).prop_map(
        |(replies, thinking, limits, rule, decisions, waits, callers)| World {
            replies,
            thinking,
            limits,
            rule,
            decisions,
            waits,
            callers,
        },
    )
}

/// News each time, or one reply or two over and over.
fn replies() -> impl Strategy<Value = Vec<Reply>> {
    let circle = prop::collection::vec(reply(), 1..3);
    let circling = circle.prop_map(|circle| circle.into_iter().cycle().take(20).collect());
    prop_oneof![4 => prop::collection::vec(reply(), 0..20), 1 => circling]
}

fn arguments() -> impl Strategy<Value = Value> {
    prop_oneof![
        20 => Just(json!({})),
        1 => Just(json!("")),
        1 => Just(json!({"n": 300})),
        1 => Just(json!("{\"n\": 1, ")),
        1 => Just(json!("\"{}\"")),
        1 => Just(json!([1])),
        1 => any::<u8>().prop_map(|n| json!({ "n": n })),
    ]
}

fn usage() -> impl Strategy<Value = Usage> {
    let tokens = || prop_oneof![20 => 0_u64..60, 1 => Just(u64::MAX)];
    (tokens(), tokens(), tokens()).prop_map(|(prompt_tokens, completion_tokens, cached_tokens)| {
        Usage { prompt_tokens, completion_tokens, cached_tokens }
    })
}

fn reply() -> impl Strategy<Value = Reply> {
    let name = prop_oneof![60 => select(&tools::NAMES[..]), 1 => Just("fatal")];
    let id = select(vec!["", "", "a", "b", "c00000001", "c00000009"]);
    let calls = prop::collection::vec((id, name, arguments()), 1..5);
    let text = select(vec!["", "text", "日本 😀"]);
    let finish = prop_oneof![
        40 => Just(FinishReason::Stop),
        1 => Just(FinishReason::Length),
        1 => Just(FinishReason::ContentFilter),
        1 => Just(FinishReason::Refusal),
        1 => Just(FinishReason::Pause),
    ];
    (prop::bool::weighted(0.9), calls, text, finish, usage()).prop_map(
        |(calling, calls, text, finish, usage)| {
            let reply = Reply::text(text).with_finish(finish).with_usage(usage);
            let calls = if calling { calls } else { Vec::new() };
            let add =
                |reply: Reply, (id, name, arguments)| reply.and_call_with_id(id, name, arguments);
            calls.into_iter().fold(reply, add)
        },
    )
}

fn limits() -> impl Strategy<Value = Limits> {
    let deadline = option::weighted(0.2, (1_u64..20).prop_map(Duration::from_millis));
    let tool_timeout = select(vec![2, 20, 60_000]).prop_map(Duration::from_millis);
    let tokens = option::weighted(0.3, 1_u64..300);
    let millionths = option::weighted(0.2, (1_u32..2000).prop_map(f64::from));
    let cost = millionths.prop_map(|cost| Some(Cost::from_dollars(cost? / 1e6).unwrap()));
    let counts = (1_u32..8, 0_u32..14, tokens, cost);
    let steps = (select(vec![0, 2, 3]), 0_u32..5, any::<bool>());
    (counts, steps, deadline, tool_timeout, 1_usize..60, 1_usize..4).prop_map(
        |(counts, steps, deadline, tool_timeout, max_result_chars, max_parallel)| {
            let (max_steps, max_tool_calls, token_budget, cost_budget) = counts;
            let (repeat_limit, failing_limit, wrap_up) = steps;
            Limits {
                max_steps,
                max_tool_calls,
                token_budget,
                cost_budget,
                // It needs a file; it is held where the other budgets are.
                daily_budget: None,
                deadline,
                tool_timeout,
                max_result_chars,
                max_parallel,
                repeat_limit,
                failing_limit,
                answer_retries: 2,
                wrap_up,
            }
        },
    )
}

/// A decision that settles a call.
fn settled() -> impl Strategy<Value = Approval> {
    let with = |n: Value| Approval::allow_with(serde_json::Map::from_iter([("n".to_owned(), n)]));
    prop_oneof![
        6 => Just(Approval::Allow),
        1 => Just(Approval::AllowForRun),
        1 => select(vec![json!(1), json!("2"), json!(300)]).prop_map(with),
        2 => Just(Approval::deny("no")),
    ]
}

fn decision() -> impl Strategy<Value = Decision> {
    let any = || prop_oneof![2 => settled(), 1 => Just(Approval::Later)];
    prop_oneof![
        8 => any().prop_map(Decision::AtOnce),
        2 => any().prop_map(Decision::AfterAWhile),
        1 => Just(Decision::Panic),
    ]
}

fn wait() -> impl Strategy<Value = Wait> {
    prop_oneof![
        3 => settled().prop_map(Wait::Decides),
        3 => option::of(settled()).prop_map(Wait::Restores),
        1 => Just(Wait::Leaves),
    ]
}

fn caller() -> impl Strategy<Value = Caller> {
    let soon = || (0_u64..9000).prop_map(Duration::from_micros);
    prop_oneof![
        2 => Just(Caller::Waits),
        1 => soon().prop_map(Caller::CancelsAfter),
        1 => soon().prop_map(Caller::DropsAfter),
    ]
}
