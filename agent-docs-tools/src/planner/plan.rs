//! Decides what comes next.

use super::matcher::Matcher;
use super::notes::{Call, Notes};
use super::question::Question;
use super::rank::rank;
use super::{answer, reading, search};

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Move {
    Call(Vec<Call>),
    Answer(String),
}

/// Looks, reads, reads on, answers.
pub(crate) fn next(question: &Question, notes: &Notes, steps: usize) -> Move {
    let matcher = Matcher::new(question, notes);
    let mut calls = match steps {
        0 => search::first(question),
        1 => { let mut c = search::follow_up(question, notes); c.extend(reading::around_hits(&matcher, notes)); c }
        2 => { let mut c = reading::to_complete(&rank(&matcher, notes)); c.extend(reading::around_hits(&matcher, notes)); c.truncate(10); c }
        3 => reading::to_complete(&rank(&matcher, notes)),
        _ => Vec::new(),
    };
    calls.retain(|call| !notes.is_done(call));
    if calls.is_empty() { Move::Answer(answer::answer(&matcher, notes)) } else { Move::Call(calls) }
}
