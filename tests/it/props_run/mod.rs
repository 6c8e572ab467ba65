//! What holds for every run, whatever the model, the tools, the one who approves and the caller do.

mod ledger;
mod life;
mod model;
mod tally;
mod tools;
mod world;

use std::sync::{Arc, LazyLock};

use agent_core::{Agent, AgentBuilder};
use proptest::prelude::*;

use ledger::Ledger;
use model::Strict;
use tally::Tallies;
use world::World;

static RUNTIME: LazyLock<tokio::runtime::Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

/// The agent of a world, which notes what happens in the ledger and in the tallies.
fn agent(world: &World, ledger: &Arc<Ledger>, tallies: &Arc<Tallies>) -> Agent {
    let told = Arc::clone(tallies);
    let builder = Agent::builder()
        .model(Strict::new(world.replies.clone(), world.thinking, Arc::clone(ledger)))
        .tools(tools::all())
        .state(Arc::clone(ledger))
        .limits(world.limits.clone())
        .approval_policy(world.rule.policy())
        .on_event(move |event| told.tell(event));
    with_approver(builder, world, ledger).build().unwrap()
}

fn with_approver(builder: AgentBuilder, world: &World, ledger: &Arc<Ledger>) -> AgentBuilder {
    match world.decisions.clone() {
        Some(decisions) => builder.approver(ledger::Desk::new(decisions, Arc::clone(ledger))),
        None => builder,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_run_ends_within_its_limits_with_a_valid_transcript_and_exact_counts_and_permissions_hold(
        world in world::world(),
    ) {
        let ledger = Arc::new(Ledger::default());
        let tallies = Arc::new(Tallies::new(world.limits.clone()));
        let agent = agent(&world, &ledger, &tallies);
        let lives = RUNTIME.block_on(life::live(&agent, &world, &ledger));
        lives.check(&world.limits, &tallies);
        ledger.check(world.rule);
    }
}
