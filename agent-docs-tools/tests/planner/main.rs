//! The offline planner with the real tools, over a handbook of an imaginary product.
//!
//! The handbook and its questions were written before the planner was tuned.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the helpers of tests may fail like the tests themselves"
)]

use std::path::{Path, PathBuf};

use agent_core::{Agent, Run, StopReason};
use agent_docs_tools::{Docs, OfflinePlanner};

const QUESTIONS: &str = include_str!("questions.tsv");

fn handbook() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planner_corpus")
}

fn agent() -> Agent {
    let docs = Docs::open(handbook()).unwrap();
    let agent = Agent::builder().model(OfflinePlanner::new());
    agent.tools(agent_docs_tools::tools()).state(docs).build().unwrap()
}

async fn ask(question: &str) -> String {
    let mut run: Run = agent().start(question);
    assert_eq!(run.drive().await.unwrap(), StopReason::Answered, "{question}");
    assert!(run.counts().steps <= 5, "{question}: {:?}", run.counts());
    run.answer().unwrap().to_owned()
}

/// A place that an answer cites.
#[derive(Debug, PartialEq)]
struct Cited {
    path: String,
    first: usize,
    last: usize,
}

fn cited(answer: &str) -> Vec<Cited> {
    let places = answer.lines().filter(|line| !line.starts_with('>'));
    places
        .filter_map(|line| {
            let (path, rest) = line.split_once(".md:")?;
            let (first, last) = rest.split_whitespace().next()?.split_once('-')?;
            Some(Cited {
                path: format!("{path}.md"),
                first: first.parse().ok()?,
                last: last.parse().ok()?,
            })
        })
        .collect()
}

/// The lines of a section, from its heading to the next: `path#heading`.
fn section(place: &str) -> Cited {
    let (path, heading) = place.split_once('#').unwrap();
    let text = std::fs::read_to_string(handbook().join(path)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let is_heading = |at: usize| {
        let is_underlined = lines.get(at + 1).is_some_and(|line| line.starts_with("---"));
        lines[at].starts_with('#') || is_underlined
    };
    let named = |at: &usize| lines[*at].trim_start_matches('#').trim().replace('`', "") == heading;
    let first = (0..lines.len()).filter(|at| is_heading(*at)).find(named);
    let first = first.unwrap_or_else(|| panic!("no section {place}"));
    let last = (first + 1..lines.len()).find(|at| is_heading(*at)).unwrap_or(lines.len());
    Cited { path: path.to_owned(), first: first + 1, last }
}

#[tokio::test]
async fn nine_questions_in_ten_are_answered_with_the_right_section() {
    let mut wrong = Vec::new();
    for line in QUESTIONS.lines() {
        let (question, places) = line.split_once('\t').unwrap();
        let right: Vec<Cited> = places.split(';').map(section).collect();
        let cited = cited(&ask(question).await);
        assert!(cited.len() <= 3, "{question}: {cited:?}");
        let is_right = |cited: &Cited| {
            let is_within = |right: &Cited| {
                right.path == cited.path && right.first <= cited.first && cited.last <= right.last
            };
            right.iter().any(is_within)
        };
        if !cited.iter().any(is_right) {
            wrong.push((question, cited));
        }
    }
    let asked = QUESTIONS.lines().count();
    assert!(wrong.len() * 10 <= asked, "{} of {asked}: {wrong:#?}", wrong.len());
}

#[tokio::test]
async fn what_is_cited_is_quoted_as_it_stands() {
    let answer = ask("How do I calibrate the scale?").await;
    let cited = &cited(&answer)[0];
    let text = std::fs::read_to_string(handbook().join(&cited.path)).unwrap();
    let lines = text.lines().skip(cited.first - 1).take(cited.last - cited.first + 1);
    let quote: Vec<String> = lines.map(|line| format!("> {line}").trim_end().to_owned()).collect();
    assert!(answer.contains(&quote.join("\n")), "{answer}");
}

#[tokio::test]
async fn what_the_documents_do_not_answer_is_said_so() {
    for question in ["Who wrote the national anthem of Peru?", "🎻🎻🎻", "Кто написал гимн?"]
    {
        let answer = ask(question).await;
        assert!(answer.contains("Nothing in these documents fits"), "{answer}");
        assert_eq!(cited(&answer), [], "{answer}");
    }
}

#[tokio::test]
async fn a_very_long_question_is_answered() {
    let question = format!("How do I change the battery? {}", "It is urgent. ".repeat(800));
    let path = &cited(&ask(&question).await)[0].path;
    assert_eq!(path, "power/winter care.md");
}
