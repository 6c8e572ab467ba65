//! Putting tool calls together from the pieces that servers send.

use serde_json::{Map, Value};

use crate::model::RequestedCall;

/// More than any reply asks for; each piece looks through the calls before it.
const MOST_CALLS: usize = 1024;

/// The calls of one reply, in order; further ones than [`MOST_CALLS`] are left out.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Slot>);

/// One call, as far as it came.
#[derive(Debug, Default)]
struct Slot {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    /// Fields of the provider's own, such as signatures, which it wants to see again.
    extra: Map<String, Value>,
}

/// One piece of a call. What is empty or null is absent.
struct Piece<'p> {
    index: Option<u64>,
    id: Option<&'p str>,
    name: Option<&'p str>,
    arguments: &'p Value,
    extra: Map<String, Value>,
}

impl<'p> Piece<'p> {
    fn read(piece: &'p Value) -> Self {
        let text = |value: Option<&'p Value>| value?.as_str().filter(|text| !text.is_empty());
        let function = piece.get("function").unwrap_or(piece);
        let known = ["index", "id", "type", "function", "name", "arguments"];
        let extra = piece.as_object().into_iter().flatten();
        let extra = extra.filter(|(key, value)| !known.contains(&key.as_str()) && !value.is_null());
        Self {
            index: piece.get("index").and_then(Value::as_u64),
            id: text(piece.get("id")),
            name: text(function.get("name")),
            arguments: function.get("arguments").unwrap_or(&Value::Null),
            extra: extra.map(|(key, value)| (key.clone(), value.clone())).collect(),
        }
    }
}

impl Calls {
    /// Takes a call that came whole.
    pub(super) fn whole(&mut self, call: &Value) {
        self.0.push(Slot::default());
        self.add(self.0.len() - 1, Piece::read(call));
    }

    /// Takes a piece of a call.
    pub(super) fn merge(&mut self, piece: &Value) {
        let piece = Piece::read(piece);
        let found = self.find(&piece);
        if found.is_none() && self.0.len() >= MOST_CALLS {
            return;
        }
        let slot = found.unwrap_or_else(|| {
            self.0.push(Slot { index: piece.index, ..Slot::default() });
            self.0.len() - 1
        });
        self.add(slot, piece);
    }

    /// The slot a piece belongs to: that of its id, else the latest of its index, else the latest.
    /// `None` where a new call begins: a name comes with an id or an index that tells it apart, with
    /// another name, or with neither id nor index.
    fn find(&self, piece: &Piece<'_>) -> Option<usize> {
        let latest = |with: &dyn Fn(&Slot) -> bool| self.0.iter().rposition(with);
        if let Some(known) = piece.id.and_then(|id| latest(&|slot| slot.id == id)) {
            return Some(known);
        }
        let at = match piece.index {
            Some(index) => latest(&|slot| slot.index == Some(index)),
            None => self.0.len().checked_sub(1),
        }?;
        let slot = self.0.get(at)?;
        let other_id = piece.id.is_some_and(|id| !slot.id.is_empty() && slot.id != id);
        let begins = piece.name.is_some_and(|name| {
            let other_name = !slot.name.is_empty() && slot.name != name;
            other_id || other_name || (piece.id.is_none() && piece.index.is_none())
        });
        (!begins).then_some(at)
    }

    fn add(&mut self, at: usize, piece: Piece<'_>) {
        let Some(slot) = self.0.get_mut(at) else { return };
        slot.index = slot.index.or(piece.index);
        first(&mut slot.id, piece.id);
        first(&mut slot.name, piece.name);
        match piece.arguments {
            Value::Null => {}
            Value::String(text) => slot.arguments.push_str(text),
            whole => slot.arguments = whole.to_string(),
        }
        slot.extra.extend(piece.extra);
    }

    /// The calls, and what each one's provider wants to see again; empty if that is nothing.
    pub(super) fn finish(self) -> (Vec<RequestedCall>, Vec<Value>) {
        let is_call = |slot: &Slot| !slot.name.is_empty() || !slot.arguments.trim().is_empty();
        let (calls, extras): (Vec<_>, Vec<_>) =
            self.0.into_iter().filter(is_call).map(Slot::finish).unzip();
        let none = extras.iter().all(Map::is_empty);
        let extras =
            if none { Vec::new() } else { extras.into_iter().map(Value::Object).collect() };
        (calls, extras)
    }
}

/// The first that is not empty stays.
fn first(kept: &mut String, sent: Option<&str>) {
    if let Some(sent) = sent.filter(|_| kept.is_empty()) {
        sent.clone_into(kept);
    }
}

impl Slot {
    fn finish(self) -> (RequestedCall, Map<String, Value>) {
        let Self { id, name, arguments, extra, .. } = self;
        let arguments = sent_once(&arguments).unwrap_or(arguments);
        (RequestedCall { id, name, arguments: Value::String(arguments) }, extra)
    }
}

/// The arguments where they were sent more than once: after an opening `{}`, or again as a summary,
/// encoded as text or not. Anything else is not touched.
fn sent_once(text: &str) -> Option<String> {
    let values: Vec<Value> =
        serde_json::Deserializer::from_str(text).into_iter().collect::<Result<_, _>>().ok()?;
    if values.len() < 2 {
        return None;
    }
    let mut values =
        values.into_iter().map(decoded).filter(|value| *value != Value::Object(Map::new()));
    let Some(value) = values.next() else { return Some("{}".to_owned()) };
    values.all(|other| other == value).then(|| value.to_string())
}

fn decoded(value: Value) -> Value {
    match value.as_str().and_then(|text| serde_json::from_str(text).ok()) {
        Some(inner) => inner,
        None => value,
    }
}
