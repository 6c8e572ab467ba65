//! How many tokens a message takes, as far as that can be told without the model's tokenizer.

use std::io;

use serde::Serialize;

use crate::message::{AssistantMessage, Message, ToolCall, ToolResult};
use crate::model::{Reply, RequestedCall};
use crate::tool::Tool;

/// What stands around each message, its role for one.
const FRAME: u64 = 4;
/// What stands around a call, and names it in its result; most of it is the id.
const CALL_FRAME: u64 = 12;

/// An estimate of the tokens of `message`.
pub(super) fn message(message: &Message) -> u64 {
    let said = match message {
        Message::System { content } | Message::User { content } => text(content),
        Message::Assistant(reply) => assistant(reply),
        Message::Tool(ToolResult { content, .. }) => text(content).saturating_add(CALL_FRAME),
    };
    said.saturating_add(FRAME)
}

/// An estimate of the tokens of `tools` in a request.
pub(super) fn tools(tools: &[Tool]) -> u64 {
    let parts = |tool: &Tool| {
        [tool.name(), tool.description(), tool.parameters().get()]
            .map(text)
            .into_iter()
            .sum::<u64>()
    };
    tools.iter().map(|tool| parts(tool).saturating_add(CALL_FRAME)).sum()
}

/// An estimate of the tokens of a reply.
pub(super) fn reply(reply: &Reply) -> u64 {
    let call = |call: &RequestedCall| {
        text(&call.name).saturating_add(json(&call.arguments)).saturating_add(CALL_FRAME)
    };
    let calls = reply.tool_calls.iter().map(call).sum::<u64>();
    let reasoning = reply.reasoning.as_deref().map_or(0, text);
    text(&reply.text).saturating_add(calls).saturating_add(reasoning)
}

fn assistant(reply: &AssistantMessage) -> u64 {
    let AssistantMessage { content, reasoning, tool_calls, provider_data } = reply;
    let call = |ToolCall { name, arguments, .. }: &ToolCall| {
        text(name).saturating_add(json(arguments)).saturating_add(CALL_FRAME)
    };
    let calls = tool_calls.iter().map(call).sum::<u64>();
    // A provider's own data repeats the reasoning, where it holds it.
    let reasoning = reasoning.as_deref().map_or(0, text);
    let data = provider_data.as_ref().map_or(0, |data| json(&data.data));
    text(content).saturating_add(calls).saturating_add(reasoning.max(data))
}

fn text(text: &str) -> u64 {
    let mut meter = Meter::default();
    meter.add(text.as_bytes());
    meter.tokens()
}

fn json(value: &impl Serialize) -> u64 {
    let mut meter = Meter::default();
    match serde_json::to_writer(&mut meter, value) {
        Ok(()) => meter.tokens(),
        Err(_) => 0,
    }
}

/// Measures text: four ASCII characters are a token, as most tokenizers have it for English. Any
/// other character is one, which is right for Chinese and Japanese and enough for most scripts.
#[derive(Default)]
struct Meter {
    ascii: usize,
    other: usize,
}

impl Meter {
    fn add(&mut self, bytes: &[u8]) {
        // The first byte of each character that is not ASCII.
        const FIRST: u8 = 0b1100_0000;
        self.ascii += bytes.iter().filter(|byte| byte.is_ascii()).count();
        self.other += bytes.iter().filter(|byte| **byte >= FIRST).count();
    }

    fn tokens(&self) -> u64 {
        let tokens = self.ascii.div_ceil(4).saturating_add(self.other);
        u64::try_from(tokens).unwrap_or(u64::MAX)
    }
}

impl io::Write for Meter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// By how much the tokens that a provider counts are more than the estimate of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale(f64);

impl Default for Scale {
    /// A quarter more, until a provider has counted: code and JSON have fewer characters to a token
    /// than prose.
    fn default() -> Self {
        Self(1.25)
    }
}

impl Scale {
    /// What estimates must be scaled by if one of `estimate` was counted as `counted`. Beyond a
    /// factor of four the count is not believed: some servers count what they read anew alone.
    pub(super) fn of(counted: u64, estimate: u64) -> Self {
        Self((counted as f64 / estimate.max(1) as f64).clamp(0.25, 4.0))
    }

    pub(super) fn apply(self, estimate: u64) -> u64 {
        (estimate as f64 * self.0).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Scale, json, text};

    #[test]
    fn english_has_four_characters_to_a_token_and_chinese_one() {
        assert_eq!(text(""), 0);
        assert_eq!(text("Which way is north?"), 5);
        assert_eq!(text("北はどちらですか"), 8);
        assert_eq!(text("abcd 北"), 3);
        assert_eq!(json(&json!({"path": "a/b.md"})), 5);
    }

    #[test]
    fn a_count_sets_the_scale_within_reason() {
        assert_eq!(Scale::of(150, 100).apply(1000), 1500);
        assert_eq!(Scale::of(1, 100).apply(1000), 250);
        assert_eq!(Scale::of(u64::MAX, 0).apply(1000), 4000);
        assert_eq!(Scale::of(3, 3).apply(u64::MAX), u64::MAX);
    }
}
