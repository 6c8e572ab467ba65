//! The limits of a run.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agent_core::{DailyBudget, Limits};

use super::failure::Failure;

/// What a run may use.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct LimitArgs {
    /// Take all limits from this TOML file; an option goes before what it says
    #[arg(long, help_heading = "Limits", value_name = "FILE.toml")]
    limits: Option<PathBuf>,

    /// Stop after so many steps; a step is one reply of the model and the tool calls in it
    /// [default: 8]
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = steps)]
    max_steps: Option<u32>,

    /// Stop once so many tokens are used
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = tokens)]
    token_budget: Option<u64>,

    /// Stop after this time, such as 90s or "2m 30s"
    #[arg(long, help_heading = "Limits", value_name = "TIME", value_parser = time)]
    deadline: Option<Duration>,

    /// Stop any tool call after this time [default: 1m]
    #[arg(long, help_heading = "Limits", value_name = "TIME", value_parser = time)]
    tool_timeout: Option<Duration>,

    /// Stop once all runs with this --budget-file have used so many tokens today (in UTC)
    #[arg(long, help_heading = "Limits", value_name = "N", value_parser = tokens)]
    daily_budget: Option<u64>,

    /// Count the tokens of a day in this file
    #[arg(long, help_heading = "Limits", value_name = "FILE.json")]
    budget_file: Option<PathBuf>,
}

fn steps(text: &str) -> Result<u32, &'static str> {
    match text.parse() {
        Ok(steps @ 1..) => Ok(steps),
        _ => Err("give a whole number of steps, 1 or more"),
    }
}

fn tokens(text: &str) -> Result<u64, &'static str> {
    match text.replace('_', "").parse() {
        Ok(tokens @ 1..) => Ok(tokens),
        _ => Err("give a whole number of tokens, 1 or more"),
    }
}

fn time(text: &str) -> Result<Duration, &'static str> {
    match humantime::parse_duration(text) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("give a time like 90s, 5m or \"2m 30s\""),
    }
}

impl LimitArgs {
    /// The limits of each run.
    pub(crate) fn limits(self) -> Result<Limits, Failure> {
        let file = self.limits.as_deref().map(read).transpose()?.unwrap_or_default();
        Ok(Limits {
            max_steps: self.max_steps.unwrap_or(file.max_steps),
            token_budget: self.token_budget.or(file.token_budget),
            deadline: self.deadline.or(file.deadline),
            tool_timeout: self.tool_timeout.unwrap_or(file.tool_timeout),
            daily_budget: daily(self.daily_budget, self.budget_file, file.daily_budget)?,
            ..file
        })
    }
}

fn read(path: &Path) -> Result<Limits, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|source| Failure::Read { path: path.to_owned(), source })?;
    Limits::from_toml(&text).map_err(|source| Failure::Limits { path: path.to_owned(), source })
}

/// The budget of the day, of what the options and the file of limits say.
fn daily(
    tokens: Option<u64>,
    file: Option<PathBuf>,
    other: Option<DailyBudget>,
) -> Result<Option<DailyBudget>, Failure> {
    let (other_tokens, other_file) = other.map(|other| (other.tokens, other.file)).unzip();
    match (tokens.or(other_tokens), file.or(other_file)) {
        (Some(tokens), Some(file)) => Ok(Some(DailyBudget { tokens, file })),
        (None, None) => Ok(None),
        (Some(_), None) => Err(Failure::Usage(
            "--daily-budget needs a file to count in; name it with --budget-file".into(),
        )),
        (None, Some(_)) => Err(Failure::Usage(
            "--budget-file needs a budget; set the tokens of a day with --daily-budget".into(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use agent_core::Limits;

    use super::LimitArgs;

    #[test]
    fn the_defaults_in_the_help_are_those_of_the_code() {
        let limits = LimitArgs::default().limits().unwrap();
        assert_eq!(limits, Limits::default());
        assert_eq!((limits.max_steps, limits.tool_timeout), (8, Duration::from_secs(60)));
    }
}
