//! What the person is asked, and what the answers mean.

use agent_core::ToolCall;
use agent_core::agent::Approval;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use super::edit;
use crate::cli::output;

const QUESTION: &str = "allow it? [y]es, [n]o, [a]lways in this run, [e]dit: ";

/// Asks until there is a decision. `shown` is the call as it may be shown.
pub(super) fn ask(
    lines: &mut DefaultEditor,
    call: &ToolCall,
    shown: &ToolCall,
) -> Result<Approval, ReadlineError> {
    loop {
        match lines.readline(QUESTION)?.trim().to_lowercase().as_str() {
            "y" | "yes" => return Ok(Approval::Allow),
            "a" | "always" => return Ok(Approval::AllowForRun),
            "n" | "no" => return denied(lines),
            "e" | "edit" => {
                if let Some(approval) = edited(lines, call, shown)? {
                    return Ok(approval);
                }
            }
            _ => output::say("answer y, n, a or e; Ctrl-C cancels the run"),
        }
    }
}

fn denied(lines: &mut DefaultEditor) -> Result<Approval, ReadlineError> {
    let reason = lines.readline("why not, for the model to read (may be empty): ")?;
    Ok(match reason.trim() {
        "" => Approval::deny("the user said no"),
        reason => Approval::deny(reason),
    })
}

/// Lets the arguments be edited; nothing comes of an empty line.
fn edited(
    lines: &mut DefaultEditor,
    call: &ToolCall,
    shown: &ToolCall,
) -> Result<Option<Approval>, ReadlineError> {
    let mut text = shown.arguments.to_string();
    loop {
        text = lines.readline_with_initial("arguments: ", (&text, ""))?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        match edit::typed(&text, &shown.arguments, &call.arguments) {
            Ok(arguments) if arguments == call.arguments => return Ok(Some(Approval::Allow)),
            Ok(arguments) => return Ok(Some(Approval::allow_with(arguments))),
            Err(error) => output::say(format_args!(
                "not a JSON object: {error}; mend it, or leave it empty to go back"
            )),
        }
    }
}
