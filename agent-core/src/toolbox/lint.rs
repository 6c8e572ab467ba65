//! What is legal but will serve a model badly.

use std::collections::HashMap;
use std::fmt;

use serde::Serialize;

use crate::schema::Dialect;
use crate::tool::Tool;

/// In characters; OpenAI has refused longer descriptions.
const LONGEST_DESCRIPTION: usize = 1024;
/// OpenAI takes no more in one request.
const MOST_TOOLS: usize = 128;
/// How alike two descriptions may be, from 0 to 1.
const TOO_ALIKE: f64 = 0.9;

/// One thing about a toolbox that will serve a model badly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Lint {
    /// The tool it is about; none where it is about all of them.
    pub tool: Option<String>,
    /// What is the matter, and what to do about it.
    pub message: String,
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.tool {
            Some(tool) => write!(f, "{tool}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Everything there is to say about `tools`, which are sorted by name.
pub(super) fn lint(tools: &[Tool], dialect: Dialect) -> Vec<Lint> {
    let mut lints = Vec::new();
    if tools.len() > MOST_TOOLS {
        let message = format!(
            "{} tools are more than the {MOST_TOOLS} some providers take; send fewer",
            tools.len()
        );
        lints.push(Lint { tool: None, message });
    }
    lints.extend(differ_only_in_case(tools));
    for (place, tool) in tools.iter().enumerate() {
        let mut about =
            |message: String| lints.push(Lint { tool: Some(tool.name().to_owned()), message });
        too_long(tool).into_iter().for_each(&mut about);
        undescribed(tool).into_iter().for_each(&mut about);
        like_another(tool, tools.get(place + 1..).unwrap_or_default())
            .into_iter()
            .for_each(&mut about);
        if let Err(error) = tool.parameters_for(dialect) {
            about(error.to_string());
        }
    }
    lints
}

fn differ_only_in_case(tools: &[Tool]) -> Vec<Lint> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    let mut lints = Vec::new();
    for tool in tools {
        if let Some(other) = seen.insert(tool.name().to_lowercase(), tool.name()) {
            let message =
                format!("its name differs from that of `{other}` in case alone; rename one");
            lints.push(Lint { tool: Some(tool.name().to_owned()), message });
        }
    }
    lints
}

fn too_long(tool: &Tool) -> Option<String> {
    let length = tool.description().chars().count();
    (length > LONGEST_DESCRIPTION).then(|| {
        format!("its description has {length} characters, more than the {LONGEST_DESCRIPTION} some providers take; shorten it")
    })
}

fn undescribed(tool: &Tool) -> Option<String> {
    let properties = tool.schema().root.properties.iter();
    let bare = properties.filter(|property| property.schema.get("description").is_none());
    let names: Vec<String> = bare.map(|property| format!("`{}`", property.name)).collect();
    match names.as_slice() {
        [] => None,
        [only] => Some(format!("its parameter {only} has no description; say what it is for")),
        many => Some(format!(
            "its parameters {} have no description; say what each is for",
            many.join(", ")
        )),
    }
}

fn like_another(tool: &Tool, others: &[Tool]) -> Option<String> {
    let likeness =
        |other: &&Tool| strsim::normalized_levenshtein(tool.description(), other.description());
    let other = others.iter().find(|other| likeness(other) >= TOO_ALIKE)?;
    Some(format!("its description is nearly that of `{}`; say when to call which", other.name()))
}
