//! Masking: what those who watch a run are not shown.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use regex_lite::Regex;
use serde_json::{Map, Value};

use super::Event;
use super::hidden::{Hidden, MASK, cover};
use crate::message::{ToolCall, ToolResult};
use crate::tool::Tool;
use crate::toolbox::Toolbox;

/// What those who watch a run are not shown of its tool calls: it is masked, as `***`.
///
/// - Arguments marked `#[arg(secret)]`, and their text wherever else it occurs in the result. A
///   text of one or two characters is masked as an argument alone. Where the tools have secrets,
///   arguments that are not known, or that are for a tool that is not, are masked too: they may be
///   misspelt.
/// - What matches a pattern, in the values of arguments at any depth, in results and in errors. A
///   pattern is a regular expression in the syntax of the crate `regex-lite`.
///
/// An agent masks each [`Event`] so; [`AgentBuilder::mask`](crate::AgentBuilder::mask) sets its
/// patterns. A front end masks what it shows by itself, such as a call that waits for approval:
///
/// ```
/// use agent_core::trace::Masks;
/// use agent_core::{ToolCall, Toolbox, tool, tools};
/// use serde_json::json;
///
/// #[tool("Send a message.")]
/// fn send(to: String, text: String, #[arg(secret)] password: String) {
///     let _ = (to, text, password);
/// }
///
/// let masks = Masks::new(Toolbox::new(tools![send])?, ["sk-[a-z0-9]+"])?;
/// let arguments = json!({"to": "ann", "text": "use sk-123abc", "password": "hunter2"});
/// let call: ToolCall =
///     serde_json::from_value(json!({"id": "1", "name": "send", "arguments": arguments}))?;
/// assert_eq!(
///     masks.call(&call).arguments.to_string(),
///     r#"{"password":"***","text":"use ***","to":"ann"}"#
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Masks(Arc<Inner>);

#[derive(Default)]
struct Inner {
    toolbox: Arc<Toolbox>,
    patterns: Vec<Regex>,
}

impl Masks {
    /// The masks of calls of these tools, with patterns of further texts.
    ///
    /// # Errors
    ///
    /// A pattern is no regular expression, or matches the empty text.
    pub fn new<P: AsRef<str>>(
        toolbox: impl Into<Arc<Toolbox>>,
        patterns: impl IntoIterator<Item = P>,
    ) -> Result<Self, InvalidMask> {
        let patterns = patterns.into_iter().map(|pattern| compile(pattern.as_ref()));
        let patterns = patterns.collect::<Result<_, _>>()?;
        Ok(Self(Arc::new(Inner { toolbox: toolbox.into(), patterns })))
    }

    /// The call, as it may be shown.
    #[must_use]
    pub fn call(&self, call: &ToolCall) -> ToolCall {
        self.veil(call).map_or_else(|| call.clone(), |veil| veil.call)
    }

    /// The result of a call, as it may be shown.
    #[must_use]
    pub fn result(&self, call: &ToolCall, result: &ToolResult) -> ToolResult {
        ToolResult { content: self.text_about(call, &result.content), ..result.clone() }
    }

    /// A text that is about no one call, as it may be shown: without what the patterns match.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        cover(text, self.matches(text))
    }

    /// A text that may quote a call, such as an error, as it may be shown.
    pub(crate) fn text_about(&self, call: &ToolCall, text: &str) -> String {
        self.veil(call).map_or_else(|| text.to_owned(), |veil| veil.text(text))
    }

    /// Masks an event.
    pub(crate) fn event(&self, event: &mut Event) {
        match event {
            Event::CallStarted { call, .. } | Event::ApprovalAsked { call, .. } => {
                if let Some(veil) = self.veil(call) {
                    *call = veil.call;
                }
            }
            Event::CallFinished { call, result, raw, notes, .. } => {
                let Some(veil) = self.veil(call) else { return };
                result.content = veil.text(&result.content);
                notes.iter_mut().for_each(|note| *note = veil.text(note));
                if let Some(raw) = raw {
                    *raw = veil.raw(raw);
                }
                *call = veil.call;
            }
            Event::Retry { error, .. } | Event::Stopped { error: Some(error), .. } => {
                *error = self.text(error).into_owned();
            }
            Event::Stopped { error: None, .. }
            | Event::RunStarted { .. }
            | Event::StepStarted { .. }
            | Event::ApprovalDecided { .. }
            | Event::Text { .. }
            | Event::Reasoning { .. }
            | Event::Replied { .. }
            | Event::ContextCut { .. } => {}
        }
    }

    /// What is not shown of a call, if there is anything.
    fn veil(&self, call: &ToolCall) -> Option<Veil<'_>> {
        let Inner { toolbox, patterns } = &*self.0;
        let tool = toolbox.get(&call.name);
        let secretive = match tool {
            Some(tool) => has_secrets(tool),
            None => toolbox.tools().iter().any(has_secrets),
        };
        if !secretive && patterns.is_empty() {
            return None;
        }
        let mut hidden = Hidden::default();
        let shown = call.arguments.iter().map(|(name, value)| {
            let shown = if secretive && !is_known_to_be_open(tool, name) {
                hidden.add(value);
                MASK.into()
            } else {
                self.value(value, &mut hidden)
            };
            (name.clone(), shown)
        });
        let arguments = shown.collect();
        let call = ToolCall { id: call.id.clone(), name: call.name.clone(), arguments };
        Some(Veil { masks: self, secretive, hidden, call })
    }

    /// A value without what the patterns match, which is hidden from then on.
    fn value(&self, value: &Value, hidden: &mut Hidden) -> Value {
        match value {
            Value::String(text) => {
                let spans = self.matches(text);
                spans.iter().filter_map(|span| text.get(span.clone())).for_each(|found| {
                    hidden.add_text(found);
                });
                cover(text, spans).into()
            }
            Value::Number(number) => match self.text(&number.to_string()) {
                Cow::Borrowed(_) => value.clone(),
                Cow::Owned(_) => {
                    hidden.add(value);
                    MASK.into()
                }
            },
            Value::Array(values) => values.iter().map(|value| self.value(value, hidden)).collect(),
            Value::Object(map) => {
                let shown =
                    map.iter().map(|(name, value)| (name.clone(), self.value(value, hidden)));
                Value::Object(Map::from_iter(shown))
            }
            Value::Null | Value::Bool(_) => value.clone(),
        }
    }

    fn matches(&self, text: &str) -> Vec<Range<usize>> {
        let matches = self.0.patterns.iter().flat_map(|pattern| pattern.find_iter(text));
        matches.map(|found| found.range()).filter(|span| !span.is_empty()).collect()
    }
}

/// What is not shown of one call.
struct Veil<'m> {
    masks: &'m Masks,
    /// Whether the tool has secrets, or is not known where others have.
    secretive: bool,
    hidden: Hidden,
    /// The call, as it may be shown.
    call: ToolCall,
}

impl Veil<'_> {
    /// Both are found in the whole text, since what one masks may be a part of what the other does.
    fn text(&self, text: &str) -> String {
        let mut spans = self.hidden.spans(text);
        spans.extend(self.masks.matches(text));
        cover(text, spans).into_owned()
    }

    /// Arguments that could not be read may hold a secret anywhere.
    fn raw(&self, raw: &Value) -> Value {
        if self.secretive { MASK.into() } else { self.masks.value(raw, &mut Hidden::default()) }
    }
}

fn has_secrets(tool: &Tool) -> bool {
    tool.secrets().next().is_some()
}

fn is_known_to_be_open(tool: Option<&Tool>, argument: &str) -> bool {
    let mut parameters = tool.into_iter().flat_map(|tool| &tool.schema().parameters);
    parameters.any(|parameter| parameter.name == argument && !parameter.secret)
}

fn compile(pattern: &str) -> Result<Regex, InvalidMask> {
    let refused = |problem| InvalidMask { pattern: pattern.to_owned(), problem };
    let regex = Regex::new(pattern)
        .map_err(|error| refused(format!("is no regular expression: {error}")))?;
    if regex.is_match("") {
        return Err(refused("matches the empty text; write what is to be masked".to_owned()));
    }
    Ok(regex)
}

impl fmt::Debug for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Masks").field("patterns", &self.0.patterns.len()).finish_non_exhaustive()
    }
}

/// A pattern masks nothing that could be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the mask `{pattern}` {problem}")]
pub struct InvalidMask {
    pattern: String,
    problem: String,
}
