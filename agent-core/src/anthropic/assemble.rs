//! Assembling a streamed reply, event by event.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::block::{Block, Piece};
use super::read::{self, Counted};
use crate::http::{self, Deltas, Event, Progress, reported};
use crate::model::{Delta, ModelError, Reply};

/// A reply on its way.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    /// The blocks, with the index each was begun under.
    blocks: Vec<(Option<Value>, Block)>,
    text: String,
    stop: Option<String>,
    counted: Counted,
    whole: bool,
}

/// The data of any event. Its parts are read where the event is known; of others they may have any
/// form.
#[derive(Deserialize)]
struct Data {
    r#type: Option<String>,
    index: Option<Value>,
    message: Option<Box<RawValue>>,
    content_block: Option<Box<RawValue>>,
    delta: Option<Box<RawValue>>,
    usage: Option<Box<RawValue>>,
    error: Option<Value>,
}

#[derive(Default, Deserialize)]
struct Start {
    usage: Option<Counted>,
}

impl http::Assembler for Assembler {
    fn event(&mut self, event: &Event, deltas: &mut Deltas<'_>) -> Result<(), ModelError> {
        // Some servers end as those of another protocol do.
        if matches!(event.data.trim(), "" | "[DONE]") {
            return Ok(());
        }
        let data: Data = http::json("an event of the reply", &event.data)?;
        if let Some(error) = failure(event, data.error) {
            return Err(error);
        }
        match data.r#type.as_deref().unwrap_or(&event.event) {
            "message_start" => {
                let start: Start = part(data.message)?;
                self.counted.update(start.usage.unwrap_or_default());
            }
            "content_block_start" => {
                if let Some(raw) = data.content_block {
                    let block = Block::read(&raw)?;
                    tell(block.begun(), &mut self.text, deltas);
                    self.blocks.push((data.index, block));
                }
            }
            "content_block_delta" => {
                let piece: Piece = part(data.delta)?;
                if let Some(block) = self.block(data.index) {
                    tell(block.add(&piece), &mut self.text, deltas);
                }
            }
            "message_delta" => {
                let piece: Piece = part(data.delta)?;
                self.stop = piece.stop_reason.or(self.stop.take());
                self.counted.update(part(data.usage)?);
            }
            "message_stop" => self.whole = true,
            _ => {}
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        if self.whole { Progress::Closed } else { Progress::Open }
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn finish(self) -> Result<Reply, ModelError> {
        let blocks = self.blocks.into_iter().map(|(_, block)| block).collect();
        Ok(read::ended(blocks, self.stop.as_deref(), self.counted))
    }
}

impl Assembler {
    /// The block begun under `index`, the latest if there are more; without one, the latest of all.
    fn block(&mut self, index: Option<Value>) -> Option<&mut Block> {
        let mut latest = self.blocks.iter_mut().rev();
        latest.find(|(begun, _)| index.is_none() || *begun == index).map(|(_, block)| block)
    }
}

/// The error that an event reports: in its field of that name, or, from some servers, as its data.
fn failure(event: &Event, error: Option<Value>) -> Option<ModelError> {
    let error = match error {
        None if event.event == "error" => serde_json::from_str(&event.data).ok()?,
        error => error?,
    };
    Some(reported(&json!({"error": error}))?.in_stream())
}

/// A part of an event; one that is missing says nothing.
fn part<T: DeserializeOwned + Default>(raw: Option<Box<RawValue>>) -> Result<T, ModelError> {
    raw.map_or_else(|| Ok(T::default()), |raw| http::json("an event of the reply", raw.get()))
}

fn tell(delta: Option<Delta<'_>>, text: &mut String, deltas: &mut Deltas<'_>) {
    match delta {
        Some(Delta::Text(piece)) => {
            text.push_str(piece);
            deltas.text(piece);
        }
        Some(Delta::Reasoning(piece)) => deltas.reasoning(piece),
        _ => {}
    }
}
