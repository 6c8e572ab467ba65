//! Messages in the form of OpenAI's Chat Completions, as scripts and transcript files hold them.

mod read;
mod write;

pub use read::{ChatFormatError, replies};
pub use write::ChatMessage;
