//! Reads what the docs tools give back.
//!
//! Lenient on purpose: a line that is not understood is left out, and a path may hold colons and spaces.

/// A line that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) path: String,
    pub(crate) line: usize,
    /// Trimmed, and cut where the line is long.
    pub(crate) text: String,
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

/// Whether a tool result reports an error.
pub(crate) fn is_error(text: &str) -> bool {
    text.starts_with("error(")
}

/// Reads a list of paths, and how many files there are in all.
pub(crate) fn paths(text: &str) -> (Vec<String>, usize) {
    if is_error(text) {
        return (Vec::new(), 0);
    }
    let (notes, paths): (Vec<&str>, Vec<&str>) =
        text.lines().filter(|line| !line.trim().is_empty()).partition(|line| is_note(line));
    let total = notes.iter().flat_map(|note| numbers(note)).max().unwrap_or(0).max(paths.len());
    (paths.into_iter().map(str::to_owned).collect(), total)
}

/// Reads the hits of a search; `known` are the paths that exist, as far as they are known.
pub(crate) fn found(text: &str, known: &[String]) -> Found {
    if is_error(text) {
        return Found::default();
    }
    let mut found = Found::default();
    for line in text.lines() {
        if let Some(hit) = hit(line, known) {
            found.hits.push(hit);
        } else if is_note(line) {
            found.more = numbers(line).next().unwrap_or(found.more);
        }
    }
    found
}

fn hit(line: &str, known: &[String]) -> Option<Hit> {
    let path_of = |at: usize| line.get(..at).unwrap_or_default();
    let places = line.match_indices(':').filter_map(|(at, _)| {
        let (number, text) = line.get(at + 1..)?.split_once(':')?;
        Some(Hit { path: path_of(at).to_owned(), line: number.parse().ok()?, text: text.trim().to_owned() })
    });
    let mut places: Vec<Hit> = places.filter(|hit| !hit.path.is_empty()).collect();
    let best = places.iter().position(|hit| known.contains(&hit.path)).unwrap_or(0);
    (best < places.len()).then(|| places.swap_remove(best))
}

/// Reads numbered lines.
pub(crate) fn lines(text: &str) -> Lines {
    if is_error(text) {
        return Lines::default();
    }
    let mut read = Lines::default();
    for line in text.lines() {
        let numbered = line.split_once(':').and_then(|(number, text)| Some((number.parse().ok()?, text)));
        match numbered {
            Some((number, text)) => read.lines.push((number, text.strip_prefix(' ').unwrap_or(text).to_owned())),
            None => read.goes_on |= is_note(line),
        }
    }
    read
}

/// The tools' own remarks about what they left out.
fn is_note(line: &str) -> bool {
    line.starts_with('…') || line.contains("; go on with ")
}

fn numbers(text: &str) -> impl Iterator<Item = usize> {
    text.split(|c: char| !c.is_ascii_digit() && c != ',').filter_map(|number| number.replace(',', "").parse().ok())
}
