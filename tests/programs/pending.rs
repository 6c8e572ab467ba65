//! An agent whose run can be killed at any moment and gone on with: `pending DIR wait|allow`.
//!
//! Each tool that is run appends a line `name key` to `DIR/log` and answers with its key. The
//! run is kept in `DIR/run.json` when it starts, and by the approver, which then prints `pending` and
//! waits for ever, or allows. Where such a file is, the run goes on from it. At the end the answer
//! and the transcript are printed as JSON.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agent_core::agent::{Approval, ApprovalRequest, Approver, SavedRun};
use agent_core::model::BoxFuture;
use agent_core::{Agent, FnModel, Limits, Message, Reply, ToolContext, tool, tools};
use serde_json::json;

/// How many steps call tools.
const STEPS: usize = 5;

struct Log(PathBuf);

impl Log {
    fn note(&self, name: &str, context: &ToolContext) -> std::io::Result<String> {
        let key = context.idempotency_key();
        let mut log = OpenOptions::new().create(true).append(true).open(&self.0)?;
        log.write_all(format!("{name} {key}\n").as_bytes())?;
        std::thread::sleep(Duration::from_millis(2));
        Ok(key)
    }
}

#[tool("Look something up.", read_only, register = false)]
fn look(
    #[state] log: &Log,
    #[context] context: &ToolContext,
    _what: u64,
) -> std::io::Result<String> {
    log.note("look", context)
}

#[tool("Pay a bill.", destructive, needs_approval, register = false)]
fn pay(
    #[state] log: &Log,
    #[context] context: &ToolContext,
    _bill: u64,
) -> std::io::Result<String> {
    log.note("pay", context)
}

/// Knows the next step by the messages alone, so that it goes on in any process.
fn reply(messages: &[Message]) -> Reply {
    let step = messages.iter().filter(|message| matches!(message, Message::Assistant(_))).count();
    if step == STEPS {
        return Reply::text("all paid");
    }
    Reply::call("look", json!({"_what": 2 * step}))
        .and_call("look", json!({"_what": 2 * step + 1}))
        .and_call("pay", json!({"_bill": step}))
        .and_call("look", json!({"_what": 100 + step}))
}

/// Keeps the run, all of it, or leaves what was kept before.
fn keep(file: &Path, run: &SavedRun) -> anyhow::Result<()> {
    let aside = file.with_extension("new");
    let mut kept = File::create(&aside)?;
    serde_json::to_writer(&mut kept, run)?;
    kept.sync_all()?;
    Ok(fs::rename(&aside, file)?)
}

struct Desk {
    file: PathBuf,
    allows: bool,
}

impl Approver for Desk {
    fn approve<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            let kept = request.save().map(|run| keep(&self.file, &run));
            if !matches!(kept, Some(Ok(()))) {
                return Approval::deny(format!("the run cannot be kept: {kept:?}"));
            }
            println!("pending");
            if self.allows { Approval::Allow } else { std::future::pending().await }
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_default());
    let allows = arguments.next().as_deref() == Some("allow");
    let file = folder.join("run.json");
    let agent = Agent::builder()
        .model(FnModel::new(|messages: &[Message]| Ok(reply(messages))))
        .tools(tools![look, pay])
        .state(Log(folder.join("log")))
        .limits(Limits { max_steps: 20, ..Limits::default() })
        .approver(Desk { file: file.clone(), allows })
        .build()?;
    if !file.exists() {
        keep(&file, &agent.start("Pay all bills.").save())?;
    }
    let mut run = agent.restore(serde_json::from_slice(&fs::read(&file)?)?)?;
    run.drive().await?;
    println!("{}", json!({ "answer": run.answer()?, "transcript": run.transcript() }));
    Ok(())
}
