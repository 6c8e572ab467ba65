//! The person at the terminal, as the one who decides.

use std::future;
use std::io;
use std::sync::Arc;

use agent_core::agent::{Approval, ApprovalRequest, Approver};
use agent_core::model::BoxFuture;
use agent_core::trace::Masks;
use agent_core::{BuildError, Toolbox};
use rustyline::error::ReadlineError;

use super::{dialog, shown};
use crate::cli::failure::Failure;
use crate::cli::interrupt::Interrupt;
use crate::cli::pending::PendingFile;
use crate::cli::{output, terminal};

/// The person at the terminal. Where there is none, calls are denied, or wait in a file.
#[derive(Debug)]
pub(crate) struct Person {
    masks: Masks,
    interrupt: Interrupt,
    pending: Option<Arc<PendingFile>>,
}

impl Approver for Person {
    fn approve<'a>(&'a self, request: &'a ApprovalRequest<'a>) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            match self.decide(request) {
                Ok(Some(approval)) => approval,
                Ok(None) => {
                    self.interrupt.raise();
                    // The run is cancelled, and does not come back here.
                    future::pending().await
                }
                Err(failure) => {
                    failure.tell();
                    Approval::deny("the user could not be asked")
                }
            }
        })
    }
}

impl Person {
    /// Decides on calls of these tools. Ctrl-C instead of an answer raises `interrupt`; `pending`
    /// keeps the run until there is a decision.
    pub(crate) fn new(
        toolbox: &Toolbox,
        interrupt: Interrupt,
        pending: Option<Arc<PendingFile>>,
    ) -> Result<Self, Failure> {
        let masks = Masks::new::<&str>(toolbox.clone(), []).map_err(BuildError::from)?;
        Ok(Self { masks, interrupt, pending })
    }

    /// What the person decides; nothing if they interrupt the run.
    ///
    /// The thread waits for them in place: nothing else goes on in the run meanwhile, and a thread of
    /// its own would go on to read from the terminal if the run was stopped by its deadline.
    fn decide(&self, request: &ApprovalRequest<'_>) -> Result<Option<Approval>, Failure> {
        let may_be_shown = self.masks.call(request.call);
        output::say(shown(&may_be_shown));
        let saved = self.pending.as_ref().zip(request.save());
        if let Some((pending, run)) = &saved {
            pending.keep(run)?;
        }
        if !terminal::is_there() {
            return Ok(Some(match saved {
                Some(_) => Approval::Later,
                None => Approval::deny("it needs approval, and there is no terminal to ask on"),
            }));
        }
        let approval = match dialog::ask(&mut terminal::editor()?, request.call, &may_be_shown) {
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(None),
            decided => decided.map_err(|error| Failure::Input(io::Error::other(error)))?,
        };
        if let Some((pending, _)) = &saved {
            pending.release()?;
        }
        Ok(Some(approval))
    }
}
