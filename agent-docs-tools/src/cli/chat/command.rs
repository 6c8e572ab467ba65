//! What is typed with a slash.

use std::path::PathBuf;

/// What `/help` prints.
pub(super) const HELP: &str = "\
/tools        what the model is told about each tool
/usage        the steps, tool calls, tokens and known cost of this conversation
/save [FILE]  write the conversation to a file, for --continue; again to the same without FILE
/help         this list
/quit         leave, as Ctrl-D does

Anything else is a question; one that begins with a slash is asked with a space before it. Ctrl-C
stops an answer and keeps the conversation.";

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    Tools,
    Usage,
    Save(Option<PathBuf>),
    Help,
    Quit,
}

const NAMES: [&str; 6] = ["/tools", "/usage", "/save", "/help", "/quit", "/exit"];

/// How alike a name must be to be suggested, of 1.
const ALIKE: f64 = 0.5;

impl Command {
    /// The command in a line, or why it is none; nothing if the line is a question.
    pub(super) fn parse(line: &str) -> Option<Result<Self, String>> {
        if !line.starts_with('/') {
            return None;
        }
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match (name, rest) {
            ("/save", "") => Ok(Self::Save(None)),
            ("/save", path) => Ok(Self::Save(Some(path.into()))),
            ("/tools", "") => Ok(Self::Tools),
            ("/usage", "") => Ok(Self::Usage),
            ("/help", "") => Ok(Self::Help),
            ("/quit" | "/exit", "") => Ok(Self::Quit),
            (name, _) if NAMES.contains(&name) => {
                Err(format!("{name} stands alone; leave out what follows it"))
            }
            (name, _) => Err(unknown(name)),
        })
    }
}

fn unknown(name: &str) -> String {
    let alike = NAMES.map(|known| (strsim::normalized_damerau_levenshtein(name, known), known));
    let nearest = alike.into_iter().max_by(|(a, _), (b, _)| a.total_cmp(b));
    match nearest.filter(|(alike, _)| *alike >= ALIKE) {
        Some((_, known)) => format!("there is no command {name}; did you mean {known}?"),
        None => format!(
            "there is no command {name}; /help lists them, and a space before it makes it a question"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Command, HELP, NAMES};

    #[test]
    fn a_line_without_a_slash_at_its_beginning_is_a_question() {
        assert_eq!(Command::parse("What is /tools?"), None);
        assert_eq!(Command::parse(" /etc/hosts?"), None);
    }

    #[test]
    fn a_file_may_have_spaces_in_its_name() {
        let save = |line| Command::parse(line).unwrap().unwrap();
        assert_eq!(save("/save  my talk.json "), Command::Save(Some("my talk.json".into())));
        assert_eq!(save("/save"), Command::Save(None));
    }

    #[test]
    fn a_misspelt_command_is_told_with_the_one_that_was_meant() {
        let error = |line| Command::parse(line).unwrap().unwrap_err();
        assert_eq!(error("/tool"), "there is no command /tool; did you mean /tools?");
        assert_eq!(error("/sava a.json"), "there is no command /sava; did you mean /save?");
        assert!(
            error("/etc/hosts").starts_with("there is no command /etc/hosts; /help lists them")
        );
        assert_eq!(error("/quit now"), "/quit stands alone; leave out what follows it");
    }

    #[test]
    fn every_command_is_known_and_in_the_help() {
        for name in NAMES {
            assert!(Command::parse(name).unwrap().is_ok(), "{name}");
            assert!(
                name == "/exit" || HELP.contains(&format!("\n{name}")) || HELP.starts_with(name)
            );
        }
    }
}
