//! Chooses what to read.

use super::call::Call;
use super::matcher::Matcher;
use super::notes::Notes;
use super::rank::Ranked;
use super::spots::spots;

/// The lines of one reading, and how many of them will surely arrive: long lines cut it short.
const PAGE: usize = 80;
const SURE: usize = 60;
/// How far above a place its heading is looked for at first.
const ABOVE: usize = 25;
const MAX_READINGS: usize = 8;
/// How good a place must be beside the best to be worth reading.
const WORTH: f64 = 0.45;
/// How many sections are completed, and in how many documents of the first few it is read on.
const COMPLETED: usize = 3;
const FIRST_FEW: usize = 4;
const CONTINUED: usize = 2;

/// Reads around the best of what the searches found.
pub(crate) fn around_hits(matcher: &Matcher<'_>, notes: &Notes) -> Vec<Call> {
    let spots = spots(matcher, notes);
    let least = WORTH * spots.first().map_or(0.0, |spot| spot.score);
    let worth = spots.iter().filter(|spot| spot.score >= least);
    let mut starts: Vec<(&str, usize)> = Vec::new();
    for spot in worth.filter(|spot| !notes.has_read(spot.path, spot.line)) {
        let is_covered = starts.iter().any(|(path, start)| {
            *path == spot.path && (*start..*start + SURE).contains(&spot.line)
        });
        if !is_covered {
            let start = if spot.line + ABOVE <= PAGE { 1 } else { spot.line - ABOVE };
            starts.push((spot.path, start));
        }
    }
    starts.into_iter().take(MAX_READINGS).map(|(path, start)| page(path, start)).collect()
}

/// Reads what is missing of the best sections, and on in their documents.
pub(crate) fn further(ranked: &[Ranked<'_>], notes: &Notes) -> Vec<Call> {
    let mut calls = Vec::new();
    for Ranked { section, .. } in ranked.iter().take(COMPLETED) {
        if section.is_open {
            calls.push(page(section.path, section.last_line() + 1));
        }
        if section.is_headless {
            calls.push(page(section.path, section.first_line().saturating_sub(PAGE).max(1)));
        }
    }
    let mut paths: Vec<&str> = Vec::new();
    for Ranked { section, .. } in ranked.iter().take(FIRST_FEW) {
        if !paths.contains(&section.path) {
            paths.push(section.path);
        }
    }
    for path in paths.into_iter().take(CONTINUED) {
        let unread = notes.pages.get(path).and_then(|page| page.first_unread(1));
        calls.extend(unread.map(|start| page(path, start)));
    }
    calls
}

fn page(path: &str, start: usize) -> Call {
    Call::Read { path: path.to_owned(), start, end: start + PAGE - 1 }
}
