//! A run as a stream of its events.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
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

impl Queue {
    pub(super) fn push(&self, event: Event) {
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
    /// Where events go for whoever streams the run.
    pub(super) queue: Option<Queue>,
}

impl Teller {
    /// Tells of an event, which is only made if anyone listens.
    pub(super) fn tell(&self, event: impl FnOnce() -> Event) {
        if self.listeners.is_empty() && self.queue.is_none() {
            return;
        }
        let mut event = event();
        self.masks.event(&mut event);
        self.listeners.tell(&event);
        if let Some(queue) = &self.queue {
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
    pub async fn outcome(mut self) -> Option<T> {
        if let Some(driving) = self.driving.take() {
            return Some(driving.await);
        }
        self.outcome.take()
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
