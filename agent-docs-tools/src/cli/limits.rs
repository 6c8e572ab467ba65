//! The limits of a run.

use agent_core::Limits;

/// What a run may use.
#[derive(Debug, clap::Args)]
pub(crate) struct LimitArgs {
    /// Stop after so many steps; a step is one reply of the model and the tool calls in it
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_steps, value_parser = max_steps)]
    max_steps: u32,
}

fn max_steps(text: &str) -> Result<u32, &'static str> {
    match text.parse() {
        Ok(steps @ 1..) => Ok(steps),
        _ => Err("give a whole number of steps, 1 or more"),
    }
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits { max_steps: self.max_steps, ..Limits::default() }
    }
}
