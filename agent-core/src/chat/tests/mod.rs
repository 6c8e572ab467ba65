//! Replies as servers send them, and requests as they take them.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests may fail like the tests themselves"
)]

mod captures;
mod deviations;
mod reading;
mod writing;

use bytes::Bytes;
use futures_util::stream;

use super::assemble::Assembly;
use super::model::Reading;
use crate::http::{Deltas, Protocol, assemble};
use crate::model::{Delta, ModelError, Reply};

/// The provider whose replies are read.
const PROVIDER: &str = "desk";

/// Reads a reply that came whole.
fn whole(body: &str) -> Result<Reply, ModelError> {
    Reading { provider: PROVIDER }.whole(body)
}

/// What was shown of a reply, and what came of it.
type Shown = (String, Result<Reply, ModelError>);

/// Reads a streamed reply that comes in these pieces.
fn pieces(pieces: &[&[u8]]) -> Shown {
    let chunks = pieces.iter().map(|piece| Ok(Bytes::copy_from_slice(piece)));
    let chunks = stream::iter(chunks.collect::<Vec<_>>());
    let mut shown = String::new();
    let mut tell = |delta: Delta<'_>| match delta {
        Delta::Text(text) => shown.push_str(text),
        Delta::Reasoning(text) => shown.push_str(&format!("({text})")),
        Delta::Retry { .. } => {}
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let outcome =
        runtime.block_on(assemble(Assembly::new(PROVIDER), chunks, &mut Deltas::new(&mut tell)));
    (shown, outcome)
}

/// Reads a streamed reply at once, split at every byte, and byte by byte; it is the same each time.
fn streamed(body: &[u8]) -> Shown {
    let same = |one: &Shown, other: &Shown, how: &str| match (one, other) {
        ((_, Ok(one)), (_, Ok(other))) => assert_eq!(one, other, "{how}"),
        ((shown, Err(one)), (other_shown, Err(other))) => {
            assert_eq!(shown, other_shown, "{how}");
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{how}");
        }
        _ => panic!("{how}: {one:?} and {other:?}"),
    };
    let at_once = pieces(&[body]);
    for at in 1..body.len() {
        let (start, end) = body.split_at(at);
        same(&at_once, &pieces(&[start, end]), &format!("split at {at}"));
    }
    same(&at_once, &pieces(&body.chunks(1).collect::<Vec<_>>()), "byte by byte");
    at_once
}
