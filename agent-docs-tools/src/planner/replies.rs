//! Reads what the docs tools give back.
//!
//! Lenient on purpose: a line that is not understood is passed over, and a path may hold colons and
//! spaces.

/// No document has more lines; what claims to be further on is no line number.
const MAX_LINE: usize = 1 << 30;

/// How the tools say that there is more.
const GOES_ON: &str = "; go on with ";

/// A line that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) path: String,
    pub(crate) line: usize,
    /// Trimmed, and cut where the line is long.
    pub(crate) text: String,
}

impl Hit {
    /// Whether the line is longer than what is shown of it.
    pub(crate) fn is_cut(&self) -> bool {
        self.text.starts_with('…') || self.text.ends_with('…')
    }
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) hits: Vec<Hit>,
    /// How many more matches there are than `hits` holds.
    pub(crate) more: usize,
}

/// Lines of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) lines: Vec<(usize, String)>,
    /// Whether the file goes on after them.
    pub(crate) goes_on: bool,
}

/// Reads a list of paths, and how many files there are in all.
pub(crate) fn paths(text: &str) -> (Vec<String>, usize) {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let (notes, paths): (Vec<&str>, Vec<&str>) = lines.partition(|line| is_note(line));
    let total = notes.into_iter().flat_map(numbers).max().unwrap_or(0).max(paths.len());
    (paths.into_iter().map(str::to_owned).collect(), total)
}

/// Reads the hits of a search; `known` are the paths that exist, as far as they are known.
pub(crate) fn found(text: &str, known: &[String]) -> Found {
    let mut found = Found::default();
    for line in text.lines() {
        if let Some(hit) = hit(line, known) {
            found.hits.push(hit);
        } else if line.contains(" more match") {
            found.more = numbers(line).next().unwrap_or(found.more);
        }
    }
    found
}

/// Reads numbered lines.
pub(crate) fn lines(text: &str) -> Lines {
    let mut read = Lines::default();
    for line in text.lines() {
        match line.split_once(':').and_then(|(number, text)| Some((line_number(number)?, text))) {
            Some((number, text)) => {
                read.lines.push((number, text.strip_prefix(' ').unwrap_or(text).to_owned()));
            }
            None => read.goes_on |= line.contains(GOES_ON),
        }
    }
    read
}

/// `path:line: text`, cut where the path is a known one, else at the first line number.
fn hit(line: &str, known: &[String]) -> Option<Hit> {
    let cut = |at: usize| {
        let (path, rest) = (line.get(..at)?, line.get(at + 1..)?);
        let (number, text) = rest.split_once(':')?;
        Some(Hit {
            path: path.to_owned(),
            line: line_number(number)?,
            text: text.trim().to_owned(),
        })
    };
    let mut hits: Vec<Hit> = line.match_indices(':').filter_map(|(at, _)| cut(at)).collect();
    let best = hits.iter().position(|hit| known.contains(&hit.path)).unwrap_or(0);
    (best < hits.len()).then(|| hits.swap_remove(best))
}

fn line_number(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number| (1..=MAX_LINE).contains(number))
}

/// The tools' own words about what they left out.
fn is_note(line: &str) -> bool {
    line.starts_with('…') || line.starts_with("note: ") || line.contains(GOES_ON)
}

fn numbers(text: &str) -> impl Iterator<Item = usize> {
    text.split(|c: char| !c.is_ascii_digit() && c != ',')
        .filter_map(|number| number.replace(',', "").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_read_though_a_path_holds_colons_and_spaces() {
        let known = ["a b.md".to_owned(), "x:7: y.md".to_owned()];
        let text = "a b.md:3: # On: time\nx:7: y.md:12: it is 10:30:00 now\nnew.md:1: one…\n\
                    57 more matches in 9 files; a longer keyword finds fewer\nnote: 1 skipped";
        let found = found(text, &known);
        let hits: Vec<_> =
            found.hits.iter().map(|hit| (hit.path.as_str(), hit.line, hit.text.as_str())).collect();
        assert_eq!(
            hits,
            [
                ("a b.md", 3, "# On: time"),
                ("x:7: y.md", 12, "it is 10:30:00 now"),
                ("new.md", 1, "one…"),
            ]
        );
        assert_eq!(found.more, 57);
        assert!(found.hits[2].is_cut());
    }

    #[test]
    fn the_count_of_what_is_left_out_is_read_in_several_wordings() {
        for note in ["… and 1,057 more matches in 9 files", "1,057 more matches in 9 files"] {
            assert_eq!(found(note, &[]), Found { hits: Vec::new(), more: 1057 }, "{note}");
        }
    }

    #[test]
    fn lines_are_read_as_they_stand() {
        let read = lines("9: \n10:     indented: yes\nlines 9-10 of 71; go on with start=11");
        assert_eq!(read.lines, [(9, String::new()), (10, "    indented: yes".to_owned())]);
        assert!(read.goes_on);
        assert!(!lines("9: last").goes_on);
    }

    #[test]
    fn paths_are_read_with_their_total() {
        let (paths, total) =
            paths("a/b c.md\nd.md\ndocs 1-2 of 300; go on with start=3\nnote: 1 skipped");
        assert_eq!(paths, ["a/b c.md", "d.md"]);
        assert_eq!(total, 300);
    }
}
