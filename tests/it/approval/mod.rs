//! Approval: which calls wait for it, who decides, and what becomes of them.

mod binding;
mod decisions;
mod events;
mod faults;
mod later;
mod order;
mod rules;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use agent_core::agent::{Approval, ApprovalRequest};
use agent_core::{Agent, AgentBuilder, Reply, ScriptedModel, tool, tools};
use serde_json::json;

/// What happened, in order: `remove a?` is a call that was asked about, `remove a` one that was run.
#[derive(Default)]
struct Diary(Mutex<Vec<String>>);

impl Diary {
    fn note(&self, entry: String) {
        self.0.lock().unwrap().push(entry);
    }

    fn entries(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

#[tool("Read a page.", read_only, inline, register = false)]
fn read(#[state] diary: &Diary, page: &str) -> String {
    diary.note(format!("read {page}"));
    format!("the text of {page}")
}

#[tool("Read a private page.", read_only, needs_approval, inline, register = false)]
fn read_private(#[state] diary: &Diary, page: &str) -> String {
    diary.note(format!("read_private {page}"));
    format!("the private text of {page}")
}

#[tool("Write a page.", inline, register = false)]
fn write(#[state] diary: &Diary, page: &str) -> String {
    diary.note(format!("write {page}"));
    format!("wrote {page}")
}

#[tool("Fetch a page.", read_only, open_world, tags("web"), inline, register = false)]
fn fetch(#[state] diary: &Diary, page: &str) -> String {
    diary.note(format!("fetch {page}"));
    format!("fetched {page}")
}

#[tool("Burn a page.", destructive, inline, register = false)]
fn burn(#[state] diary: &Diary, page: &str) -> String {
    diary.note(format!("burn {page}"));
    format!("burnt {page}")
}

#[tool("Remove a page.", needs_approval, inline, register = false)]
fn remove(#[state] diary: &Diary, page: &str, #[arg(range = 1..=3)] copies: Option<u8>) -> String {
    diary.note(format!("remove {page}"));
    format!("removed {} of {page}", copies.unwrap_or(1))
}

/// An agent that replies from a script, whose approver keeps a diary too.
struct Scene {
    builder: AgentBuilder,
    diary: Arc<Diary>,
}

impl Scene {
    /// An agent that no one decides for.
    fn alone(replies: impl IntoIterator<Item = Reply>) -> Self {
        let diary = Arc::new(Diary::default());
        let builder = Agent::builder()
            .model(ScriptedModel::new(replies))
            .tools(tools![read, read_private, write, fetch, burn, remove])
            .state(Arc::clone(&diary));
        Self { builder, diary }
    }

    /// An agent whose approver makes these decisions, one after the other, and then denies.
    fn new(
        replies: impl IntoIterator<Item = Reply>,
        decisions: impl IntoIterator<Item = Approval>,
    ) -> Self {
        let Self { builder, diary } = Self::alone(replies);
        let asked = Arc::clone(&diary);
        let decisions = Mutex::new(decisions.into_iter().collect::<VecDeque<_>>());
        let approver = move |request: &ApprovalRequest<'_>| {
            let page = request.call.arguments["page"].as_str().unwrap();
            asked.note(format!("{} {page}?", request.tool.name()));
            let decision = decisions.lock().unwrap().pop_front();
            decision.unwrap_or_else(|| Approval::deny("that is enough"))
        };
        Self { builder: builder.approver(approver), diary }
    }

    fn agent(self) -> (Agent, Arc<Diary>) {
        (self.builder.build().unwrap(), self.diary)
    }
}

fn call(tool: &str, page: &str) -> Reply {
    calls([(tool, page)])
}

fn calls<'a>(calls: impl IntoIterator<Item = (&'a str, &'a str)>) -> Reply {
    let add = |reply: Reply, (tool, page)| reply.and_call(tool, json!({ "page": page }));
    calls.into_iter().fold(Reply::default(), add)
}

fn done() -> Reply {
    Reply::text("done")
}
