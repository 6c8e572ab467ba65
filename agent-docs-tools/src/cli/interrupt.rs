//! Ctrl-C.

use std::pin::pin;
use std::sync::Arc;

use tokio::sync::Notify;

/// Ctrl-C, whether it comes as a signal or, while a line is edited, as a key.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt(Arc<Notify>);

impl Interrupt {
    /// The key was pressed.
    pub(crate) fn raise(&self) {
        self.0.notify_one();
    }

    /// Forgets one that nobody waited for: it was meant for what is over.
    pub(crate) fn forget(&self) {
        pin!(self.0.notified()).enable();
    }

    /// Waits until there is one. Where signals cannot be heard, the key still counts.
    pub(crate) async fn wait(&self) {
        tokio::select! {
            Ok(()) = tokio::signal::ctrl_c() => {}
            () = self.0.notified() => {}
        }
    }
}
