use std::io;

use grep_matcher::Matcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Bytes;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

use super::Docs;
use super::containment::Opener;
use super::error::DocsError;
use super::excerpt::excerpt;
use super::skipped::Skipped;

/// The longest keyword that is looked for, in characters.
const MAX_KEYWORD_CHARS: usize = 200;

/// What a search found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Search {
    /// The documents with a match, in path order.
    pub files: Vec<FileMatches>,
    /// How many documents were searched.
    pub searched: usize,
    /// What was left out.
    pub skipped: Skipped,
}

/// The matching lines of one document.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileMatches {
    /// The document's path.
    pub path: String,
    /// How many of its lines match.
    pub lines: usize,
    /// The first of them, as far as they were asked for.
    pub hits: Vec<Hit>,
}

/// One matching line.
#[derive(Debug)]
#[non_exhaustive]
pub struct Hit {
    /// The line's number, from 1.
    pub line: u64,
    /// The line trimmed and cut at 100 characters, around the match where that lies beyond.
    pub text: String,
    /// Whether bytes of the line that are not UTF-8 were replaced.
    pub lossy: bool,
}

impl Docs {
    /// Finds the lines that hold `keyword`, taken literally and without regard to case. All are counted,
    /// the first `wanted` in path order are shown.
    ///
    /// # Errors
    ///
    /// When the keyword is empty, longer than 200 characters or more than one line.
    pub fn search(&self, keyword: &str, wanted: usize) -> Result<Search, DocsError> {
        let matcher = matcher(keyword)?;
        let listing = self.list();
        let mut scan = Scan::new(self, &matcher, wanted);
        scan.found.skipped = listing.skipped;
        for path in listing.paths {
            scan.file(path);
        }
        Ok(scan.found)
    }
}

fn matcher(keyword: &str) -> Result<RegexMatcher, DocsError> {
    let chars = keyword.chars().count();
    if keyword.trim().is_empty() {
        return Err(DocsError::EmptyKeyword);
    }
    if keyword.contains(['\n', '\r']) {
        return Err(DocsError::KeywordLineBreak);
    }
    if chars > MAX_KEYWORD_CHARS {
        return Err(DocsError::KeywordTooLong { chars, max: MAX_KEYWORD_CHARS });
    }
    RegexMatcherBuilder::new()
        .fixed_strings(true)
        .case_insensitive(true)
        .line_terminator(Some(b'\n'))
        .build(keyword)
        .map_err(|source| DocsError::Keyword { source })
}

/// A search under way. Its buffers serve file after file.
struct Scan<'a> {
    opener: Opener<'a>,
    matcher: &'a RegexMatcher,
    searcher: Searcher,
    bytes: Vec<u8>,
    wanted: usize,
    found: Search,
}

impl<'a> Scan<'a> {
    fn new(docs: &'a Docs, matcher: &'a RegexMatcher, wanted: usize) -> Self {
        // Binary files and byte-order marks are dealt with when a file is read.
        let searcher = SearcherBuilder::new()
            .binary_detection(BinaryDetection::none())
            .bom_sniffing(false)
            .line_number(true)
            .build();
        Self {
            opener: Opener::new(docs),
            matcher,
            searcher,
            bytes: Vec::new(),
            wanted,
            found: Search::default(),
        }
    }

    fn file(&mut self, path: String) {
        let matches = self
            .opener
            .open(&path)
            .and_then(|doc| doc.read_into(&mut self.bytes))
            .and_then(|()| Ok(self.matches()?));
        match matches {
            Ok((lines, hits)) => {
                self.found.searched += 1;
                self.wanted -= hits.len();
                if lines > 0 {
                    self.found.files.push(FileMatches { path, lines, hits });
                }
            }
            Err(refusal) => refusal.count(&mut self.found.skipped),
        }
    }

    /// Counts the matching lines of the file that was read, and shows as many as are still wanted.
    fn matches(&mut self) -> io::Result<(usize, Vec<Hit>)> {
        let (matcher, wanted) = (self.matcher, self.wanted);
        let (mut lines, mut hits) = (0, Vec::new());
        let sink = Bytes(|line, bytes| {
            lines += 1;
            if hits.len() < wanted {
                hits.extend(matcher.find(bytes)?.map(|found| Hit {
                    line,
                    text: excerpt(bytes, found.start()..found.end()),
                    lossy: str::from_utf8(bytes).is_err(),
                }));
            }
            Ok(true)
        });
        self.searcher.search_slice(matcher, &self.bytes, sink)?;
        Ok((lines, hits))
    }
}
