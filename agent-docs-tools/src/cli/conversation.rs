//! An earlier conversation, to be continued.

use std::fs;
use std::path::PathBuf;

use agent_core::{Message, Transcript, chat};

use super::failure::Failure;

/// Reads the transcript in a file. One without standing instructions gets these.
pub(crate) fn read(path: PathBuf, instructions: &str) -> Result<Transcript, Failure> {
    let json = match fs::read_to_string(&path) {
        Ok(json) => json,
        Err(source) => return Err(Failure::Read { path, source }),
    };
    match chat::transcript(&json) {
        Ok(transcript) => Ok(instructed(transcript, instructions)),
        Err(source) => Err(Failure::Continue { path, source }),
    }
}

fn instructed(transcript: Transcript, instructions: &str) -> Transcript {
    let messages = transcript.messages();
    if messages.iter().any(|message| matches!(message, Message::System { .. })) {
        return transcript;
    }
    let first = Message::System { content: instructions.to_owned() };
    Transcript::repaired([&[first], messages].concat())
}
