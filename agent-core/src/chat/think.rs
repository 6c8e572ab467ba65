//! Reasoning that stands at the beginning of the text, between `<think>` and `</think>`.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Splits text that comes in pieces into reasoning and text.
#[derive(Debug, Default)]
pub(super) struct Think {
    state: State,
    /// What cannot be told apart yet.
    held: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing but blanks and a part of the tag has come.
    #[default]
    Start,
    Inside,
    /// Blanks after the closing tag belong to neither.
    After,
    Text,
}

/// A piece of a reply.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Reasoning(String),
}

impl Think {
    /// Takes a piece of text.
    pub(super) fn push(&mut self, piece: &str) -> Vec<Piece> {
        self.held.push_str(piece);
        let mut pieces = Vec::new();
        while let Some(piece) = self.step() {
            pieces.extend(piece);
        }
        pieces
    }

    /// What was held back when the text ends. Nothing but blanks is nothing.
    pub(super) fn end(&mut self) -> Option<Piece> {
        let held = std::mem::take(&mut self.held);
        match self.state {
            State::Inside => Some(Piece::Reasoning(held)),
            _ if held.trim().is_empty() => None,
            _ => Some(Piece::Text(held)),
        }
    }

    /// Decides on the beginning of what is held, if that can be: what it is, if it is anything.
    fn step(&mut self) -> Option<Option<Piece>> {
        match self.state {
            _ if self.held.is_empty() => None,
            State::Start => {
                let start = self.held.trim_start();
                if let Some(rest) = start.strip_prefix(OPEN) {
                    (self.state, self.held) = (State::Inside, rest.to_owned());
                    return Some(None);
                }
                if OPEN.starts_with(start) {
                    return None;
                }
                self.state = State::Text;
                Some(None)
            }
            State::Inside => self.inside(),
            State::After => {
                self.held = self.held.trim_start().to_owned();
                if self.held.is_empty() {
                    return None;
                }
                self.state = State::Text;
                Some(None)
            }
            State::Text => Some(Some(Piece::Text(std::mem::take(&mut self.held)))),
        }
    }

    fn inside(&mut self) -> Option<Option<Piece>> {
        if let Some((reasoning, rest)) = self.held.split_once(CLOSE) {
            let piece = Piece::Reasoning(reasoning.to_owned());
            (self.state, self.held) = (State::After, rest.to_owned());
            return Some(Some(piece));
        }
        // The end may be the beginning of the tag.
        let tag = (1..CLOSE.len()).rev().find(|&n| self.held.ends_with(&CLOSE[..n])).unwrap_or(0);
        let rest = self.held.split_off(self.held.len() - tag);
        let reasoning = std::mem::replace(&mut self.held, rest);
        if reasoning.is_empty() { None } else { Some(Some(Piece::Reasoning(reasoning))) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, Think};

    fn split(pieces: &[&str]) -> (String, String) {
        let mut think = Think::default();
        let mut found: Vec<Piece> = pieces.iter().flat_map(|piece| think.push(piece)).collect();
        found.extend(think.end());
        let (mut text, mut reasoning) = (String::new(), String::new());
        for piece in found {
            match piece {
                Piece::Text(piece) => text += &piece,
                Piece::Reasoning(piece) => reasoning += &piece,
            }
        }
        (text, reasoning)
    }

    #[test]
    fn reasoning_at_the_beginning_is_told_from_text_however_it_is_cut() {
        let cases = [
            ("<think>\n</think>\n\n", "", "\n"),
            ("\n<think>hm < 3</think>\n\nyes", "yes", "hm < 3"),
            ("<think>never closed </thin", "", "never closed </thin"),
            ("a <think>b</think>", "a <think>b</think>", ""),
            ("  indented", "  indented", ""),
            ("<thinking", "<thinking", ""),
            ("<thi", "<thi", ""),
            (" \n", "", ""),
            ("<think>日本</think>é", "é", "日本"),
        ];
        for (whole, text, reasoning) in cases {
            let expected = (text.to_owned(), reasoning.to_owned());
            assert_eq!(split(&[whole]), expected, "{whole}");
            for (at, _) in whole.char_indices() {
                assert_eq!(split(&[&whole[..at], &whole[at..]]), expected, "{whole} at {at}");
            }
            let each: Vec<String> = whole.chars().map(String::from).collect();
            let each: Vec<&str> = each.iter().map(String::as_str).collect();
            assert_eq!(split(&each), expected, "{whole}");
        }
    }
}
