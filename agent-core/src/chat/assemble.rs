//! One reader for replies: a whole one is a stream of one piece.

use serde_json::{Map, Value};

use super::calls::Calls;
use super::recover::failed_generation;
use super::think::{Piece, Think};
use crate::http::{Assembler, Deltas, Event, Progress, json, reported, unreadable};
use crate::message::ProviderData;
use crate::model::{FinishReason, ModelError, ModelErrorKind, Reply};
use crate::usage::Usage;

/// A reply in the making.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    provider: String,
    think: Think,
    text: String,
    reasoning: String,
    refusal: String,
    /// Pieces of reasoning in OpenRouter's form, which it wants to see again as they are.
    details: Vec<Value>,
    calls: Calls,
    usage: Usage,
    finish: FinishReason,
    /// The reply that stood in an error message.
    recovered: Option<Reply>,
    /// Whether any part of a reply came.
    begun: bool,
    ended: bool,
    done: bool,
}

impl Assembly {
    /// An assembly of a reply of `provider`.
    pub(super) fn new(provider: &str) -> Self {
        Self { provider: provider.to_owned(), ..Self::default() }
    }

    /// Reads a reply that came whole.
    pub(super) fn whole(mut self, body: &Value) -> Result<Reply, ModelError> {
        if let Some(reported) = reported(body) {
            return Err(reported.in_body());
        }
        self.take(body, &mut Deltas::new(&mut |_| {}))?;
        self.finish()
    }

    /// Takes one piece of a reply: usage, and the first choice.
    fn take(&mut self, body: &Value, deltas: &mut Deltas<'_>) -> Result<(), ModelError> {
        let choices = body.get("choices").and_then(Value::as_array);
        let choice = choices.and_then(|choices| {
            let is_first = |choice: &&Value| {
                choice.get("index").is_none_or(|i| i.as_u64().is_none_or(|i| i == 0))
            };
            choices.iter().find(is_first)
        });
        let groq = body.get("x_groq");
        for holder in [Some(body), groq, choice].into_iter().flatten() {
            self.usage = usage(holder.get("usage")).unwrap_or(self.usage);
        }
        let Some(choice) = choice else { return Ok(()) };
        match (choice.get("delta"), choice.get("message")) {
            (None, Some(message)) => self.message(message, true, deltas),
            (Some(delta), _) => self.message(delta, false, deltas),
            (None, None) => {}
        }
        match choice.get("finish_reason").and_then(Value::as_str) {
            Some(reason) if !reason.is_empty() => self.end(reason),
            _ => Ok(()),
        }
    }

    fn message(&mut self, message: &Value, whole: bool, deltas: &mut Deltas<'_>) {
        self.begun |= message.is_object();
        let text = |key| message.get(key).and_then(Value::as_str).unwrap_or_default();
        // Some servers send the same reasoning under both names.
        let reasoning = Some(text("reasoning_content")).filter(|text| !text.is_empty());
        self.reason(reasoning.unwrap_or_else(|| text("reasoning")), deltas);
        if let Some(details) = message.get("reasoning_details").and_then(Value::as_array) {
            self.details.extend(details.iter().cloned());
        }
        self.content(message.get("content").unwrap_or(&Value::Null), deltas);
        self.refusal.push_str(text("refusal"));
        let calls = message.get("tool_calls").and_then(Value::as_array);
        let older = message.get("function_call").filter(|call| call.is_object());
        for call in calls.into_iter().flatten().chain(older) {
            if whole { self.calls.whole(call) } else { self.calls.merge(call) }
        }
    }

    /// Takes content: text, or a list of parts.
    fn content(&mut self, content: &Value, deltas: &mut Deltas<'_>) {
        match content {
            Value::String(text) => {
                for piece in self.think.push(text) {
                    self.piece(piece, deltas);
                }
            }
            Value::Array(parts) => {
                for part in parts {
                    match part.get("thinking") {
                        Some(thinking) => self.reason(&plain(thinking), deltas),
                        None => self.content(part.get("text").unwrap_or(&Value::Null), deltas),
                    }
                }
            }
            _ => {}
        }
    }

    fn piece(&mut self, piece: Piece, deltas: &mut Deltas<'_>) {
        match piece {
            Piece::Text(text) => {
                deltas.text(&text);
                self.text.push_str(&text);
            }
            Piece::Reasoning(text) => self.reason(&text, deltas),
        }
    }

    fn reason(&mut self, text: &str, deltas: &mut Deltas<'_>) {
        deltas.reasoning(text);
        self.reasoning.push_str(text);
    }

    fn end(&mut self, reason: &str) -> Result<(), ModelError> {
        self.ended = true;
        let finish = match reason.to_ascii_lowercase().as_str() {
            "length" | "max_tokens" | "model_length" => FinishReason::Length,
            "content_filter" | "safety" | "recitation" | "prohibited_content" => {
                FinishReason::ContentFilter
            }
            "refusal" => FinishReason::Refusal,
            "error"
            | "malformed_function_call"
            | "unexpected_tool_call"
            | "insufficient_system_resource" => {
                let message = format!("the provider gave the reply up (`{reason}`); ask again");
                return Err(ModelError::of(ModelErrorKind::Stream, message).retryable(None));
            }
            _ => FinishReason::Stop,
        };
        // A reply that was cut off stays so, whatever else is said of its end.
        if !self.finish.is_cut() {
            self.finish = finish;
        }
        Ok(())
    }
}

impl Assembler for Assembly {
    fn event(&mut self, event: &Event, deltas: &mut Deltas<'_>) -> Result<(), ModelError> {
        let data = event.data.trim();
        if data == "[DONE]" {
            self.done = true;
        }
        if self.done || data.is_empty() {
            return Ok(());
        }
        let chunk: Value = json("an event of the stream", data)?;
        let Some(reported) = reported(&chunk) else { return self.take(&chunk, deltas) };
        self.recovered = failed_generation(data);
        self.done = self.recovered.is_some();
        if self.done { Ok(()) } else { Err(reported.in_stream()) }
    }

    fn progress(&self) -> Progress {
        match (self.done, self.ended) {
            (true, _) => Progress::Closed,
            (false, true) => Progress::Whole,
            (false, false) => Progress::Open,
        }
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn finish(mut self) -> Result<Reply, ModelError> {
        if let Some(recovered) = self.recovered {
            return Ok(recovered.with_text(self.text).with_usage(self.usage));
        }
        if !self.begun {
            let error = unreadable("the reply", "it holds no message");
            return Err(error.retryable(None));
        }
        match self.think.end() {
            Some(Piece::Text(text)) => self.text.push_str(&text),
            Some(Piece::Reasoning(text)) => self.reasoning.push_str(&text),
            None => {}
        }
        let (tool_calls, extras) = self.calls.finish();
        let mut reply = Reply::text(self.text).with_finish(self.finish).with_usage(self.usage);
        if !self.refusal.is_empty() && tool_calls.is_empty() {
            reply.finish = FinishReason::Refusal;
            if reply.text.is_empty() {
                reply.text = self.refusal;
            }
        }
        reply.reasoning = Some(self.reasoning).filter(|text| !text.is_empty());
        reply.tool_calls = tool_calls;
        reply.provider_data = provider_data(self.provider, extras, self.details);
        Ok(reply)
    }
}

fn provider_data(provider: String, calls: Vec<Value>, details: Vec<Value>) -> Option<ProviderData> {
    let mut data = Map::new();
    if !calls.is_empty() {
        data.insert("tool_calls".to_owned(), calls.into());
    }
    if !details.is_empty() {
        data.insert("reasoning_details".to_owned(), details.into());
    }
    (!data.is_empty()).then_some(ProviderData { provider, data: Value::Object(data) })
}

/// The text in text, in a list of parts, or in a part.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(plain).collect(),
        _ => value.get("text").map(plain).unwrap_or_default(),
    }
}

fn usage(usage: Option<&Value>) -> Option<Usage> {
    let usage = usage.filter(|usage| usage.is_object())?;
    let count = |pointer| usage.pointer(pointer).and_then(Value::as_u64);
    let cached = count("/prompt_tokens_details/cached_tokens");
    Some(Usage {
        prompt_tokens: count("/prompt_tokens").unwrap_or_default(),
        completion_tokens: count("/completion_tokens").unwrap_or_default(),
        cached_tokens: cached.or_else(|| count("/prompt_cache_hit_tokens")).unwrap_or_default(),
    })
}
