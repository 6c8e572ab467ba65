//! Words the answer.

use super::matcher::Matcher;
use super::notes::Notes;
use super::passage::{Passage, passages};
use super::rank::rank;

pub(crate) fn answer(matcher: &Matcher, notes: &Notes) -> String {
    let ranked = rank(matcher, notes);
    let passages = passages(matcher, &ranked);
    let mut text = String::from("No language model was used: these are passages that share the question's words.\n");
    for p in &passages { text += &format_passage(p); }
    text
}

fn format_passage(p: &Passage<'_>) -> String {
    let mut text = format!("\n{}:{}-{} {}  [{:.1} {:.2}]\n", p.path, p.start, p.end, p.headings.join(" > "), p.score, p.coverage);
    for line in &p.lines { text += &format!("> {line}\n"); }
    text
}
