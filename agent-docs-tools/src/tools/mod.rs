//! The docs tools: what a model may do with a folder of documents.
//!
//! Every result is bounded, says what was left out, and names the call that goes on.

mod count;
mod grep;
mod list;
mod page;
mod read;

#[cfg(all(test, unix))]
mod hostile_tests;
#[cfg(test)]
mod tests;

pub use self::count::count_lines;
pub use self::grep::grep_docs;
pub use self::list::list_docs;
pub use self::read::read_doc;
