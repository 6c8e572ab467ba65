//! Chooses what to search for.

use super::call::Call;
use super::notes::Notes;
use super::question::Question;

const MAX_SEARCHES: usize = 18;
/// With fewer strong words than this, the weak ones are searched too.
const FEW: usize = 3;

/// The words and phrases of the question.
pub(crate) fn words_and_phrases(question: &Question) -> Vec<Call> {
    let strong = question.terms.iter().filter(|term| !term.is_weak).count();
    let terms = question.terms.iter().filter(|term| !term.is_weak || strong < FEW);
    let keywords = terms.flat_map(|term| &term.keywords).chain(&question.phrases);
    let mut calls: Vec<Call> = Vec::new();
    for call in keywords.take(MAX_SEARCHES).map(Call::search) {
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    calls
}

/// The headings that begin with a word of the question, for words with more hits than are shown.
pub(crate) fn headings(question: &Question, notes: &Notes) -> Vec<Call> {
    let keywords = question.terms.iter().flat_map(|term| &term.keywords);
    let crowded =
        keywords.filter(|keyword| notes.searches.get(*keyword).is_some_and(|found| found.more > 0));
    crowded
        .flat_map(|keyword| [format!("# {keyword}"), format!("# `{keyword}")])
        .map(Call::search)
        .collect()
}
