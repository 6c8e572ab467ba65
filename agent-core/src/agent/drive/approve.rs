//! Having it decided whether calls may be run.

use std::sync::Arc;

use super::Drive;
use crate::agent::ApprovalRequest;
use crate::call::as_read;
use crate::run::{Approval, PlannedCall};
use crate::trace::Event;

impl Drive<'_> {
    /// Has the agent's approver decide on one call after the other.
    pub(super) async fn approve(&mut self, calls: Vec<PlannedCall>) {
        let parts = Arc::clone(&self.run.agent.0);
        let step = self.step();
        for PlannedCall { index, call, tool } in &calls {
            // What was decided on one call may hold for the next.
            if !self.run.machine.undecided().iter().any(|planned| planned.index == *index) {
                continue;
            }
            let teller = &self.run.teller;
            teller.tell(|| Event::ApprovalAsked { step, call: call.clone() });
            let read = as_read(tool, call);
            let request = ApprovalRequest::new(tool, &read, Some(&*self.run));
            let approval = parts.approval(request).await;
            self.run.teller.tell(|| Event::ApprovalDecided {
                step,
                call_id: call.id.clone(),
                decision: approval.as_str().to_owned(),
            });
            let later = matches!(approval, Approval::Later);
            self.run.machine.decided(*index, approval);
            if later {
                return;
            }
        }
    }
}
