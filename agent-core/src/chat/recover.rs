//! A bad tool call that a server hid in an error: Groq answers 400 with what the model wrote.

use serde_json::Value;

use crate::model::Reply;

/// The reply in the body of an error, if there is one.
pub(super) fn failed_generation(body: &str) -> Option<Reply> {
    let body: Value = serde_json::from_str(body).ok()?;
    let error = body.get("error")?;
    if error.get("code")?.as_str()? != "tool_use_failed" {
        return None;
    }
    let written = error.get("failed_generation")?.as_str()?.trim();
    let (name, arguments) = as_json(written).or_else(|| as_tag(written))?;
    Some(Reply::call(name, Value::String(arguments)))
}

/// `{"name": .., "arguments": ..}`, in a list or not.
fn as_json(written: &str) -> Option<(String, String)> {
    let value: Value = serde_json::from_str(written).ok()?;
    let call = value.as_array().and_then(|calls| calls.first()).unwrap_or(&value);
    let arguments = call.get("arguments").or_else(|| call.get("parameters"))?;
    let arguments = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
    Some((call.get("name")?.as_str()?.to_owned(), arguments))
}

/// `<function=NAME>..</function>`, with or without the `>`.
fn as_tag(written: &str) -> Option<(String, String)> {
    let rest = written.strip_prefix("<function=")?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-')?;
    let (name, rest) = rest.split_at_checked(end)?;
    let arguments = rest.split("</function>").next()?.trim_start_matches('>').trim();
    Some((name.to_owned(), arguments.to_owned()))
}
