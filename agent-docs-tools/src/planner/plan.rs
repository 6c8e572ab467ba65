//! Decides what comes next.

use super::answer::answer;
use super::call::Call;
use super::matcher::Matcher;
use super::notes::Notes;
use super::question::Question;
use super::rank::rank;
use super::{reading, search};

/// How many calls one step makes after the first.
const MAX_CALLS: usize = 20;
/// How many readings one step makes once the best places have been read.
const MAX_FURTHER: usize = 8;

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Move {
    /// Make these calls.
    Call(Vec<Call>),
    /// Answer with this text.
    Answer(String),
}

/// Searches, reads what was found, reads on where that pays, and answers.
///
/// `steps` is how many steps the question has had; `offered` tells which calls can be made.
pub(crate) fn next(
    question: &Question,
    notes: &Notes,
    steps: usize,
    offered: impl Fn(&Call) -> bool,
) -> Move {
    let matcher = Matcher::new(question, notes);
    let wanted = match steps {
        0 => first_searches(question),
        1 => searches_and_readings(&matcher, notes),
        2 => further_readings(&matcher, notes, true),
        3 => further_readings(&matcher, notes, false),
        _ => Vec::new(),
    };
    let mut calls: Vec<Call> = Vec::new();
    for call in wanted {
        if offered(&call) && !notes.is_done(&call) && !calls.contains(&call) {
            calls.push(call);
        }
    }
    if calls.is_empty() { Move::Answer(answer(&matcher, notes)) } else { Move::Call(calls) }
}

fn first_searches(question: &Question) -> Vec<Call> {
    let searches = search::words_and_phrases(question);
    if searches.is_empty() {
        return searches;
    }
    std::iter::once(Call::List { start: 1 }).chain(searches).collect()
}

fn searches_and_readings(matcher: &Matcher<'_>, notes: &Notes) -> Vec<Call> {
    let unlisted = (!notes.paths.is_empty() && notes.paths.len() < notes.files)
        .then(|| Call::List { start: notes.paths.len() + 1 });
    let mut calls: Vec<Call> = unlisted.into_iter().collect();
    calls.extend(search::headings(matcher.question, notes));
    calls.extend(reading::around_hits(matcher, notes));
    calls.truncate(MAX_CALLS);
    calls
}

/// Reads on, and on the first time also what the later searches found.
fn further_readings(matcher: &Matcher<'_>, notes: &Notes, is_first: bool) -> Vec<Call> {
    let mut calls = reading::further(&rank(matcher, notes), notes);
    if is_first {
        calls.extend(reading::around_hits(matcher, notes));
    }
    calls.truncate(MAX_FURTHER);
    calls
}
