//! The answer that a run is to have, where not any text will do.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::call::Problem;
use crate::call::report::{self, Report};
use crate::message::Arguments;

/// Gives an answer as plain JSON, or says what is wrong with it.
type Check = dyn Fn(Value) -> Result<Value, Vec<Problem>> + Send + Sync;

/// What the answer of a run has to be, and how the model gives it.
#[derive(Clone)]
pub(crate) struct Wanted {
    /// The tool that it is given with; none where it is the text of a reply.
    pub(crate) tool: Option<String>,
    /// The names of its fields.
    pub(crate) fields: Vec<String>,
    pub(crate) check: Arc<Check>,
}

impl Wanted {
    /// Whether a call of this tool gives the answer.
    pub(super) fn is_given_by(&self, tool: &str) -> bool {
        self.tool.as_deref() == Some(tool)
    }

    /// The answer that a call gives, or what is wrong with it.
    pub(super) fn of_call(&self, arguments: &Arguments) -> Result<String, Report> {
        let answer = (self.check)(Value::Object(Map::clone(arguments)));
        let accepted: Vec<&str> = self.fields.iter().map(String::as_str).collect();
        answer
            .map(|answer| answer.to_string())
            .map_err(|problems| report::invalid_arguments(&problems, &accepted))
    }

    /// The answer that a text is, or what the model is told of it.
    pub(super) fn of_text(&self, text: &str) -> Result<String, String> {
        serde_json::from_str(json(text))
            .map_err(|error| vec![Problem::new("answer", format!("not valid JSON: {error}"))])
            .and_then(|answer| (self.check)(answer))
            .map(|answer| answer.to_string())
            .map_err(|problems| report::unfit(&problems, &self.fields, self.tool.as_deref()))
    }
}

impl fmt::Debug for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wanted")
            .field("tool", &self.tool)
            .field("fields", &self.fields)
            .finish_non_exhaustive()
    }
}

/// The text, or what is in it where it is a block of code.
fn json(text: &str) -> &str {
    let text = text.trim();
    let Some(block) = text.strip_prefix("```").and_then(|text| text.strip_suffix("```")) else {
        return text;
    };
    match block.split_once('\n') {
        Some((language, code)) if language.chars().all(char::is_alphabetic) => code,
        _ => block,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::Wanted;
    use crate::call::Problem;

    fn wanted(tool: Option<&str>) -> Wanted {
        Wanted {
            tool: tool.map(str::to_owned),
            fields: vec!["n".to_owned()],
            check: Arc::new(|given: Value| match given.get("n") {
                Some(Value::Number(_)) => Ok(given),
                _ => Err(vec![Problem::new("n", "missing, expected a number")]),
            }),
        }
    }

    #[test]
    fn json_is_taken_from_a_block_of_code() {
        for text in [
            r#"{"n":1}"#,
            " {\"n\": 1}\n",
            "```json\n{\"n\": 1}\n```",
            "```\n{\"n\":1}\n```\n",
            "```{\"n\":1}```",
            "```{\n\"n\":1}```",
        ] {
            assert_eq!(wanted(None).of_text(text).as_deref(), Ok(r#"{"n":1}"#), "{text}");
        }
        for text in ["", "```", "``````", "n is 1", "It is:\n```json\n{\"n\":1}\n```"] {
            assert!(wanted(None).of_text(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told_with_what_to_do_next() {
        assert_eq!(
            wanted(None).of_text("{}").unwrap_err(),
            "The answer does not fit: `n`: missing, expected a number; answer again with one JSON object \
             and nothing else (fields: n)"
        );
        assert_eq!(
            wanted(Some("finish")).of_text("One.").unwrap_err(),
            "The answer does not fit: `answer`: not valid JSON: expected value at line 1 column 1; \
             give it by calling `finish` (parameters: n)"
        );
        let call = wanted(Some("finish")).of_call(&json!({}).as_object().unwrap().clone().into());
        assert_eq!(
            call.unwrap_err().text,
            "error(invalid_arguments): `n`: missing, expected a number; \
             call again with these corrected (parameters: n)"
        );
    }
}
