//! A run as a stream of its events.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use futures_util::Stream;
use futures_util::future::BoxFuture;

use crate::trace::{Event, Listeners, Masks};

/// The events of a run as they happen; polling it drives the run.
///
/// It ends when the run has stopped. [`outcome`](Self::outcome) then has what the run came to.
#[must_use]
pub struct EventStream<'r, T> {
    driving: Option<BoxFuture<'r, T>>,
    events: Queue,
    outcome: Option<T>,
}

/// Events on their way from the run to the stream.
#[derive(Clone, Default)]
pub(super) struct Queue(Arc<Mutex<VecDeque<Event>>>);

/// The end of a [`Queue`] that events are put in at.
#[derive(Debug, Clone, Default)]
pub(super) struct Listening(Weak<Mutex<VecDeque<Event>>>);

impl Queue {
    pub(super) fn listening(&self) -> Listening {
        Listening(Arc::downgrade(&self.0))
    }

    fn push(&self, event: Event) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(event);
    }

    fn pop(&self) -> Option<Event> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// Who is told of the events of one run.
#[derive(Debug, Clone)]
pub(super) struct Teller {
    pub(super) listeners: Listeners,
    /// What none of them is shown.
    pub(super) masks: Masks,
    /// Where events go for whoever streams the run, as long as they do.
    pub(super) queue: Listening,
}

impl Teller {
    /// Tells of an event, which is only made if anyone listens.
    pub(super) fn tell(&self, event: impl FnOnce() -> Event) {
        let queue = self.queue.0.upgrade().map(Queue);
        if self.listeners.is_empty() && queue.is_none() {
            return;
        }
        let mut event = event();
        self.masks.event(&mut event);
        self.listeners.tell(&event);
        if let Some(queue) = queue {
            queue.push(event);
        }
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

impl<'r, T> EventStream<'r, T> {
    pub(super) fn new(driving: BoxFuture<'r, T>, events: Queue) -> Self {
        Self { driving: Some(driving), events, outcome: None }
    }

    /// Drives the run to its end, without regard to further events, and gives what it came to.
    pub async fn outcome(self) -> Option<T> {
        let Self { driving, events, outcome } = self;
        drop(events);
        match driving {
            Some(driving) => Some(driving.await),
            None => outcome,
        }
    }
}

impl<T: Unpin> Stream for EventStream<'_, T> {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        loop {
            if let Some(event) = self.events.pop() {
                return Poll::Ready(Some(event));
            }
            let Some(driving) = &mut self.driving else { return Poll::Ready(None) };
            match driving.as_mut().poll(context) {
                Poll::Ready(outcome) => {
                    self.driving = None;
                    self.outcome = Some(outcome);
                }
                Poll::Pending => {
                    return match self.events.pop() {
                        Some(event) => Poll::Ready(Some(event)),
                        None => Poll::Pending,
                    };
                }
            }
        }
    }
}

impl<T> fmt::Debug for EventStream<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream")
            .field("ended", &self.driving.is_none())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::StreamExt;

    use crate::{Agent, Reply, ScriptedModel, StopReason};

    #[tokio::test]
    async fn events_are_kept_only_as_long_as_someone_streams_them() {
        let model = ScriptedModel::new(["one", "two"].map(Reply::text));
        let agent = Agent::builder().model(model).tools([]).build().unwrap();
        let mut run = agent.start("go");
        let mut stream = run.stream();
        assert!(stream.next().await.is_some());
        let kept = Arc::downgrade(&stream.events.0);
        let outcome = stream.outcome();
        assert_eq!(kept.strong_count(), 1);
        assert_eq!(outcome.await.unwrap().unwrap(), StopReason::Answered);
        assert_eq!(kept.strong_count(), 0);
        run.ask("again");
        run.drive().await.unwrap();
        assert!(run.teller.queue.0.upgrade().is_none());
    }
}
