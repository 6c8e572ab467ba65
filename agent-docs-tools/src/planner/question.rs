//! What a question asks for: its search words.

use super::stop_words::{is_stop_word, is_weak, unspaced_stop_words};
use super::words::{KIND, Word, is_unspaced, words};

/// More than these would add noise rather than aim.
const MAX_TERMS: usize = 12;
const MAX_PHRASES: usize = 6;
/// A question is read up to here, in characters.
const MAX_CHARS: usize = 2_000;
/// What the forms of a word share, if it is to find them all, in characters.
const SHARED: usize = 3;
/// What is longer is no word, in bytes.
const MAX_WORD: usize = 80;

/// A question, as far as a search needs to understand it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// Its words, each once, in the order they were asked.
    pub(crate) terms: Vec<Term>,
    /// Runs of words to look for as they stand.
    pub(crate) phrases: Vec<String>,
    /// Terms that stand side by side, as indices of `terms`.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// Whether it asks how to do something.
    pub(crate) asks_how: bool,
    /// Whether it asks what kinds of a thing there are.
    pub(crate) asks_kinds: bool,
    /// If it asks what a thing is: how a text would begin to say that, in lower case.
    pub(crate) definition: Option<String>,
    /// Whether none of its words is an English stop word: it is asked in another language, or in
    /// bare search words.
    pub(crate) is_foreign: bool,
}

/// One word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) stem: String,
    /// As the question has it, in lower case.
    pub(crate) text: String,
    /// What to search for, so that the other forms of the word are found as well.
    pub(crate) keywords: Vec<String>,
    /// Whether most questions could hold this word.
    pub(crate) is_weak: bool,
}

impl Term {
    fn new(word: &Word) -> Self {
        Self {
            stem: word.stem().to_owned(),
            text: word.text.clone(),
            keywords: keywords(word),
            is_weak: is_weak(&word.text),
        }
    }
}

impl Question {
    /// Reads a question of any length, in any language.
    pub(crate) fn parse(text: &str) -> Self {
        let text = readable(text);
        let words = words(&text);
        let mut question = Self {
            phrases: quoted(&text),
            asks_how: words.first().is_some_and(|word| word.text == "how"),
            asks_kinds: words.iter().any(|word| word.stem() == KIND),
            is_foreign: !words.iter().any(|word| is_stop_word(&word.text)),
            ..Self::default()
        };
        question.definition = definition(&words);
        question.phrases.extend(question.definition.clone());
        question.phrases.extend(unspaced_runs(&text));
        let mut before: Option<(usize, &Word)> = None;
        for word in words.iter().filter(|word| is_search_word(word)) {
            let Some(term) = question.add(word) else { continue };
            if let Some((other, other_word)) = before {
                question.pair((other, term), phrases(&text, other_word, word));
            }
            before = Some((term, word));
        }
        question.phrases.dedup();
        question.phrases.truncate(MAX_PHRASES);
        question
    }

    /// Whether it has a word of its own to search for.
    pub(crate) fn has_subject(&self) -> bool {
        self.terms.iter().any(|term| !term.is_weak)
    }

    /// Whether one of its words has a digit.
    pub(crate) fn names_number(&self) -> bool {
        self.terms.iter().any(|term| term.text.contains(char::is_numeric))
    }

    /// The index of a word's term, new or known; none if there are too many.
    fn add(&mut self, word: &Word) -> Option<usize> {
        let known = self.terms.iter().position(|term| term.stem == word.stem());
        if known.is_none() && self.terms.len() < MAX_TERMS {
            self.terms.push(Term::new(word));
            return Some(self.terms.len() - 1);
        }
        known
    }

    fn pair(&mut self, pair: (usize, usize), phrases: Vec<String>) {
        if pair.0 != pair.1 && !phrases.is_empty() && !self.pairs.contains(&pair) {
            self.pairs.push(pair);
            self.phrases.extend(phrases);
        }
    }
}

/// The beginning of the text, on one line, with spaces where a script without spaces has its stop words.
fn readable(text: &str) -> String {
    let start: String = text.chars().take(MAX_CHARS).collect();
    let whole_words = match start.rsplit_once(char::is_whitespace) {
        Some((words, _)) if start.len() < text.len() => words,
        _ => &start,
    };
    let words: Vec<&str> = whole_words.split_whitespace().collect();
    let text = words.join(" ").replace('’', "'");
    if !text.contains(is_unspaced) {
        return text;
    }
    unspaced_stop_words().fold(text, |text, stop_word| text.replace(stop_word, " "))
}

fn is_search_word(word: &Word) -> bool {
    !is_stop_word(&word.text) && word.text.len() <= MAX_WORD
}

/// `What is a boat?` looks for `boat is`, `What are boats?` for `boats are`.
fn definition(words: &[Word]) -> Option<String> {
    let (what, rest) = words.split_first()?;
    let (is, rest) = rest.split_first()?;
    if what.text != "what" || !matches!(is.text.as_str(), "is" | "are") {
        return None;
    }
    let subject = rest.iter().skip_while(|word| is_stop_word(&word.text));
    let subject: Vec<&str> =
        subject.take_while(|word| is_search_word(word)).map(|word| word.text.as_str()).collect();
    (!subject.is_empty()).then(|| format!("{} {}", subject.join(" "), is.text))
}

/// Two neighbours of a question as a text may have them: as asked, and without the stop words between.
fn phrases(text: &str, first: &Word, second: &Word) -> Vec<String> {
    let is_pause = |c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '-' | '/' | '\'');
    let between =
        text.get(first.span.end..second.span.start).filter(|text| !text.contains(is_pause));
    let (Some(between), Some(end)) = (between, keywords(second).into_iter().next()) else {
        return Vec::new();
    };
    let mut phrases = vec![format!("{}{}{end}", first.text, between.to_lowercase())];
    if between.contains(char::is_alphabetic) {
        phrases.push(format!("{} {end}", first.text));
    }
    phrases
}

/// The beginning that a word's other forms share; for a name, its spellings.
fn keywords(word: &Word) -> Vec<String> {
    let is_name = word.text.contains(|c: char| !c.is_alphanumeric() && c != '\'');
    if !is_name {
        let common = word.text.chars().zip(word.stem().chars()).take_while(|(a, b)| a == b).count();
        if common >= SHARED {
            return vec![word.text.chars().take(common).collect()];
        }
        let mut forms = vec![word.text.clone(), word.stem().to_owned()];
        forms.dedup();
        return forms;
    }
    let mut spellings = vec![word.text.clone()];
    if word.text.contains(char::is_numeric) {
        spellings.push(word.text.chars().filter(|c| c.is_alphanumeric()).collect());
    }
    spellings
}

/// What the question sets in quotes.
fn quoted(text: &str) -> Vec<String> {
    let mut quoted = Vec::new();
    for (open, close) in [('"', '"'), ('`', '`'), ('“', '”'), ('«', '»'), ('「', '」')] {
        let mut rest = text;
        while let Some((inside, after)) =
            rest.split_once(open).and_then(|(_, after)| after.split_once(close))
        {
            if (2..=60).contains(&inside.trim().chars().count()) {
                quoted.push(inside.trim().to_lowercase());
            }
            rest = after;
        }
    }
    quoted
}

/// Runs of three characters or more of a script without spaces; pairs are searched as words anyway.
fn unspaced_runs(text: &str) -> impl Iterator<Item = String> {
    text.split(|c| !is_unspaced(c)).filter(|run| run.chars().count() > 2).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keywords_of(text: &str) -> Vec<String> {
        Question::parse(text).terms.into_iter().flat_map(|term| term.keywords).collect()
    }

    #[test]
    fn stop_words_are_left_out_and_stems_are_searched() {
        assert_eq!(
            keywords_of("How do I varnish the wooden boats?"),
            ["varnish", "wooden", "boat"]
        );
        assert_eq!(keywords_of("Why doesn’t the paint dry?"), ["paint", "dry", "dri"]);
    }

    #[test]
    fn names_are_searched_as_they_are_written() {
        let expected = ["boat.length", "ab/2", "ab2", "--fast"];
        let found = keywords_of("Is `boat.length` for AB/2 or --fast?");
        assert_eq!(found[..3], expected[..3]);
    }

    #[test]
    fn neighbours_are_searched_as_phrases() {
        let question = Question::parse("How do I paint a boat with two colours, please?");
        assert_eq!(
            question.phrases,
            ["paint a boat", "paint boat", "boat with two", "boat two", "two colour"]
        );
        assert!(question.asks_how);
        assert!(!question.asks_kinds);
    }

    #[test]
    fn a_definition_is_looked_for_where_one_is_asked() {
        let definition = |text| Question::parse(text).definition;
        assert_eq!(definition("What is a boat and who has one?").as_deref(), Some("boat is"));
        assert_eq!(definition("What are paper boats?").as_deref(), Some("paper boats are"));
        assert_eq!(definition("What does a boat do?"), None);
        assert_eq!(definition("What is it?"), None);
    }

    #[test]
    fn what_is_quoted_is_searched_whole() {
        let question = Question::parse("What does \"The hull is wet\" mean?");
        assert_eq!(question.phrases[0], "the hull is wet");
    }

    #[test]
    fn a_question_without_spaces_is_cut_at_its_stop_words() {
        let question = Question::parse("怎么油漆木船？");
        assert_eq!(keywords_of("怎么油漆木船？"), ["油漆", "漆木", "木船"]);
        assert_eq!(question.phrases, ["油漆木船"]);
    }

    #[test]
    fn any_text_is_a_question() {
        let long = "why ".repeat(2_500) + &"boat".repeat(5_000);
        for text in ["", " \n ", "?!", "🎈🎉", "\u{0}\u{301}", "ما هي أنواع القوارب؟", &long]
        {
            let question = Question::parse(text);
            assert!(question.terms.len() <= MAX_TERMS && question.phrases.len() <= MAX_PHRASES);
        }
    }
}
