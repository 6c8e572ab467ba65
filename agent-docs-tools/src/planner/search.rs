//! Chooses what to search for.

use super::notes::{Call, Notes};
use super::question::Question;

const MAX_SEARCHES: usize = 16;

/// The first searches: every word of the question, and its phrases.
pub(crate) fn first(question: &Question) -> Vec<Call> {
    let strong = question.terms.iter().filter(|term| !term.weak).count();
    let terms = question.terms.iter().filter(|term| !term.weak || strong < 3);
    let mut keywords: Vec<String> = terms.flat_map(|term| term.keywords.clone()).collect();
    keywords.extend(question.phrases.iter().cloned());
    let mut calls = vec![Call::List];
    for keyword in keywords.into_iter().take(MAX_SEARCHES) {
        let call = Call::Search(keyword);
        if !calls.contains(&call) { calls.push(call); }
    }
    calls
}

/// Narrower searches for words that stand in too many places, wider ones for words that stand nowhere.
pub(crate) fn follow_up(question: &Question, notes: &Notes) -> Vec<Call> {
    let mut calls = Vec::new();
    for term in &question.terms {
        for keyword in &term.keywords {
            let Some(found) = notes.searches.get(keyword) else { continue };
            if found.more > 0 { calls.push(Call::Search(format!("# {keyword}"))); calls.push(Call::Search(format!("# `{keyword}"))); }
        }
    }
    if std::env::var("NOJOIN").is_err() { for (a, b) in question.pairs.iter().take(3) {
        let (a, b) = (&question.terms[*a], &question.terms[*b]);
        if a.text.chars().all(char::is_alphanumeric) && b.keywords[0].chars().all(char::is_alphanumeric) && a.text.is_ascii() {
            calls.push(Call::Search(format!("{}{}", a.text, b.keywords[0])));
            calls.push(Call::Search(format!("{}_{}", a.text, b.keywords[0])));
        }
    } }
    calls
}
