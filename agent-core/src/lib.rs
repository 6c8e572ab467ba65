//! Plain functions become tools, and tools become agents.
//!
//! ```standalone_crate
//! use agent_core::{Agent, Reply, ScriptedModel, tool};
//! use serde_json::json;
//!
//! #[tool("Subtract b from a.", read_only)]
//! fn subtract(a: f64, b: f64) -> f64 {
//!     a - b
//! }
//!
//! #[tokio::main(flavor = "current_thread")]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // A script stands in for a model.
//!     let model = ScriptedModel::new([
//!         Reply::call("subtract", json!({"a": 5, "b": 3.2})),
//!         Reply::text("5 - 3.2 is 1.8."),
//!     ]);
//!     let agent = Agent::builder().model(model).build()?;
//!     println!("{}", agent.run("What is 5 - 3.2?").await?.answer()?);
//!     assert_eq!(subtract(5.0, 3.0), 2.0); // still a plain function
//!     Ok(())
//! }
//! ```
//!
//! [`tool`](macro@tool) reads a function's signature and writes the JSON Schema that the model sees.
//! An [`Agent`] calls a [model](model::Model), runs the tools it asks for, puts the results back, and
//! goes on until it answers or a [limit](Limits) stops it. Whatever the model sends and whatever a
//! tool does, the run ends, and its [`Transcript`] is valid.
//!
//! # Which tools an agent has
//!
//! [`tools!`] lists the tools of an agent one by one, and works on every target. Without a list, an
//! agent has all tools that are linked into the program. They are gathered by code that runs before
//! `main`, which some targets have not: on `wasm32-unknown-unknown`, unless the host calls
//! `__wasm_call_ctors` first, [`Toolbox::registered`] finds none. List the tools there.

// The macro names this crate `agent_core`, also in here.
extern crate self as agent_core;

#[doc(hidden)]
#[path = "macros_support/mod.rs"]
pub mod __private;
pub mod agent;
#[cfg(feature = "http")]
pub mod anthropic;
mod budget;
mod call;
pub mod chat;
pub mod context;
mod cost;
#[cfg(feature = "http")]
pub mod http;
mod message;
pub mod model;
#[cfg(feature = "http")]
pub mod profile;
pub mod run;
mod schema;
mod suggest;
#[cfg(feature = "toml")]
mod toml_text;
mod tool;
mod toolbox;
pub mod trace;
mod transcript;
mod unwind;
mod usage;

pub use agent_macros::tool;
pub use schemars;

pub use agent::{
    Agent, AgentBuilder, BuildError, FailedRun, NoAnswer, Run, RunAsError, RunError, Session,
    Shaped,
};
pub use budget::{BudgetError, DailyBudget, DailyUsage};
pub use call::{ErrorKind, cut};
pub use cost::{Cost, InvalidMoney, Prices};
pub use message::{Arguments, AssistantMessage, Message, ProviderData, ToolCall, ToolResult};
pub use model::{FnModel, Model, ModelError, Reply, Request, ScriptedModel};
pub use run::{Limits, StopReason};
pub use schema::{Dialect, OutputSchema, Rendered, Unsayable};
#[cfg(feature = "runtime-tools")]
pub use tool::SchemaError;
pub use tool::{Annotations, Location, Tool, ToolContext, ToolError};
pub use toolbox::{Lint, Role, Roles, RolesError, Toolbox, ToolboxError};
pub use trace::Event;
pub use transcript::{InvalidTranscript, Transcript};
pub use usage::{Counts, Usage};

use __private as macros_support;
