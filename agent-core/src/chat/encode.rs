//! The wire form of messages, as a profile wants them.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;
use serde_json::Value;

use crate::message::{AssistantMessage, Message, ProviderData, ToolCall, ToolResult};
use crate::profile::{EchoReasoning, IdRule, Profile};

/// The bytes of the messages sent so far, each made once, separated by commas.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    bytes: Vec<u8>,
    /// How many messages of the transcript are in them.
    messages: usize,
    /// Instructions at the beginning that more may be added to: only one message of them is sent.
    system: Option<String>,
    after_tool: bool,
}

/// What is said between tool results and a question, where a server wants the assistant to speak.
const BETWEEN: &str = "Go on.";

impl Encoded {
    /// The bytes of `messages`, of which those that were not among them yet are added.
    pub(super) fn bytes(
        &mut self,
        messages: &[Message],
        profile: &Profile,
    ) -> Result<&[u8], serde_json::Error> {
        if messages.len() < self.messages {
            *self = Self::default();
        }
        for message in messages.get(self.messages..).unwrap_or_default() {
            self.message(message, profile)?;
            self.messages += 1;
        }
        self.flush_system()?;
        Ok(&self.bytes)
    }

    fn message(&mut self, message: &Message, profile: &Profile) -> Result<(), serde_json::Error> {
        let at_start = self.bytes.is_empty();
        if let (true, Message::System { content }) = (at_start, message) {
            let system = self.system.get_or_insert_default();
            if !system.is_empty() {
                system.push_str("\n\n");
            }
            system.push_str(content);
            return Ok(());
        }
        self.flush_system()?;
        match message {
            Message::System { content } if profile.system_first => self.push_user(content, profile),
            Message::System { content } => self.push(&Wire::System { content }),
            Message::User { content } => self.push_user(content, profile),
            Message::Assistant(message) => match Assistant::of(message, profile) {
                Some(assistant) => self.push(&Wire::Assistant(assistant)),
                None => Ok(()),
            },
            Message::Tool(ToolResult { call_id, content, .. }) => {
                self.push(&Wire::Tool { tool_call_id: id(call_id, profile.ids), content })
            }
        }
    }

    fn flush_system(&mut self) -> Result<(), serde_json::Error> {
        match self.system.take() {
            Some(content) => self.push(&Wire::System { content: &content }),
            None => Ok(()),
        }
    }

    fn push_user(&mut self, content: &str, profile: &Profile) -> Result<(), serde_json::Error> {
        if self.after_tool && !profile.user_after_tool {
            self.push(&Wire::Assistant(Assistant::text(BETWEEN)))?;
        }
        self.push(&Wire::User { content })
    }

    fn push(&mut self, wire: &Wire<'_>) -> Result<(), serde_json::Error> {
        self.after_tool = matches!(wire, Wire::Tool { .. });
        if !self.bytes.is_empty() {
            self.bytes.push(b',');
        }
        serde_json::to_writer(&mut self.bytes, wire)
    }
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Wire<'m> {
    System { content: &'m str },
    User { content: &'m str },
    Assistant(Assistant<'m>),
    Tool { tool_call_id: Cow<'m, str>, content: &'m str },
}

#[derive(Serialize)]
struct Assistant<'m> {
    /// `null` stands for no text beside calls.
    content: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<&'m str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_details: Option<&'m Value>,
    /// An empty list is not allowed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'m>>,
}

#[derive(Serialize)]
struct Call<'m> {
    id: Cow<'m, str>,
    r#type: &'static str,
    function: Function<'m>,
    /// Fields of the provider's own.
    #[serde(flatten)]
    extra: Option<&'m Value>,
}

#[derive(Serialize)]
struct Function<'m> {
    name: &'m str,
    /// JSON, encoded as text.
    arguments: String,
}

impl<'m> Assistant<'m> {
    fn text(content: &'m str) -> Self {
        Self {
            content: Some(content),
            reasoning_content: None,
            reasoning_details: None,
            tool_calls: Vec::new(),
        }
    }

    /// The reply as it goes back; a reply of nothing is refused by many servers and left out.
    fn of(message: &'m AssistantMessage, profile: &Profile) -> Option<Self> {
        let AssistantMessage { content, reasoning, tool_calls, provider_data } = message;
        if content.is_empty() && tool_calls.is_empty() {
            return None;
        }
        let own = provider_data.as_ref().filter(|data| data.provider == profile.name);
        let own = |key| own.and_then(|ProviderData { data, .. }| data.get(key));
        let extras = own("tool_calls").and_then(Value::as_array);
        let extras = extras.filter(|extras| extras.len() == tool_calls.len());
        let calls = tool_calls.iter().enumerate().map(|(index, call)| {
            Call::of(call, profile.ids, extras.and_then(|extras| extras.get(index)))
        });
        let echo = profile.echo_reasoning == EchoReasoning::WithCalls && !tool_calls.is_empty();
        Some(Self {
            content: Some(content.as_str()).filter(|content| !content.is_empty()),
            reasoning_content: echo.then(|| reasoning.as_deref().unwrap_or_default()),
            reasoning_details: own("reasoning_details"),
            tool_calls: calls.collect(),
        })
    }
}

impl<'m> Call<'m> {
    fn of(call: &'m ToolCall, ids: IdRule, extra: Option<&'m Value>) -> Self {
        Self {
            id: id(&call.id, ids),
            r#type: "function",
            function: Function { name: &call.name, arguments: call.arguments.to_string() },
            extra: extra.filter(|extra| extra.is_object()),
        }
    }
}

/// The id as the rule allows it: the same for a call and its result.
fn id(id: &str, rule: IdRule) -> Cow<'_, str> {
    let letters =
        |more: &[char]| id.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(&c));
    let fits = match rule {
        IdRule::Any => true,
        IdRule::Forty => id.len() <= 40 && letters(&['_', '-']),
        IdRule::Nine => id.len() == 9 && letters(&[]),
    };
    if fits { Cow::Borrowed(id) } else { Cow::Owned(short(id)) }
}

/// Nine letters and digits that stand for an id.
fn short(id: &str) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    let mut rest = hasher.finish();
    let mut digit = || {
        let digit = DIGITS.iter().cycle().nth((rest % 36) as usize).copied().unwrap_or(b'0');
        rest /= 36;
        char::from(digit)
    };
    (0..9).map(|_| digit()).collect()
}
