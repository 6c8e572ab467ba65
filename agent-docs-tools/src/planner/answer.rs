//! Words the answer.

use super::markdown::Line;
use super::matcher::Matcher;
use super::notes::Notes;
use super::passage::passage;
use super::question::Question;
use super::rank::{Ranked, rank};
use super::spots::spots;

const MAX_PLACES: usize = 3;
/// How well a further place must fit beside the best.
const WORTH: f64 = 0.4;
/// The share of the question that a place must speak of to fit at all, and to fit well.
const FITS: f64 = 0.3;
const FITS_WELL: f64 = 0.5;
/// What the words of a place must weigh where the rest of the question is in another language.
const TELLS: f64 = 2.0;
/// A quoted line is cut here, in characters.
const MAX_LINE: usize = 500;

/// Answers from what is known, or says that nothing fits.
pub(crate) fn answer(matcher: &Matcher<'_>, notes: &Notes) -> String {
    let ranked = rank(matcher, notes);
    let best = ranked.first().map_or(0.0, |ranked| ranked.score);
    let places: Vec<_> =
        ranked.iter().take(MAX_PLACES).filter(|place| place.score >= WORTH * best).collect();
    let coverage = places.iter().map(|place| place.coverage).fold(0.0, f64::max);
    let missing = missing(matcher.question, notes);
    let is_foreign = matcher.question.is_foreign && !missing.is_empty();
    if coverage < FITS || (is_foreign && coverage * matcher.total() < TELLS) {
        return unread(matcher, notes).unwrap_or_else(|| {
            format!(
                "Nothing in these documents fits the question.{missing} No language model was used: \
                 the documents were searched for the words of the question, so other words may find more."
            )
        });
    }
    let opening = if coverage >= FITS_WELL {
        "These passages fit the question best."
    } else {
        "Nothing in these documents fits the whole question; these passages come nearest."
    };
    let places: String = places.iter().map(|ranked| place(matcher, ranked)).collect();
    format!(
        "{opening}{missing} No language model was used: they are quoted as they stand.\n{places}"
    )
}

/// Where to look, if there was no step to read what was found.
fn unread(matcher: &Matcher<'_>, notes: &Notes) -> Option<String> {
    let spots = spots(matcher, notes);
    if !notes.pages.is_empty() || spots.is_empty() {
        return None;
    }
    let places = spots.iter().take(MAX_PLACES).map(|spot| format!("\n{}:{}", spot.path, spot.line));
    let places: String = places.collect();
    Some(format!(
        "There was no step left to read what the search found. No language model was used. Words of \
         the question stand at:\n{places}\n"
    ))
}

/// The words that stand nowhere, as a sentence.
fn missing(question: &Question, notes: &Notes) -> String {
    let is_missing = |keyword: &String| {
        notes.searches.get(keyword).is_some_and(|found| found.hits.is_empty() && found.more == 0)
    };
    let terms = question.terms.iter().filter(|term| term.keywords.iter().all(is_missing));
    let words: Vec<String> = terms.map(|term| format!("\"{}\"", term.text)).collect();
    match words.as_slice() {
        [] => String::new(),
        [word] => format!(" The word {word} stands nowhere in them."),
        words => format!(" The words {} stand nowhere in them.", words.join(", ")),
    }
}

/// One place: where it is, what it stands under, and its text.
fn place(matcher: &Matcher<'_>, Ranked { section, .. }: &Ranked<'_>) -> String {
    let lines = passage(matcher, section);
    let number = |line: Option<&Line<'_>>| line.map_or(1, |line| line.number);
    let (start, end) = (number(lines.first()), number(lines.last()));
    let headings: Vec<&str> = section.headings().collect();
    let under =
        if headings.is_empty() { String::new() } else { format!(" ({})", headings.join(" > ")) };
    let quote: String = lines.iter().map(|line| quoted(line.text)).collect();
    format!("\n{}:{start}-{end}{under}\n\n{quote}", section.path)
}

fn quoted(line: &str) -> String {
    let mut text: String = line.chars().take(MAX_LINE).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    format!("> {text}").trim_end().to_owned() + "\n"
}
