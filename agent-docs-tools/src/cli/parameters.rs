//! The parameters of a tool, for people to read.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// A tool's JSON Schema, as far as it is shown: one line a parameter.
#[derive(Debug, Deserialize)]
pub(crate) struct Parameters {
    properties: Properties,
    #[serde(default)]
    required: Vec<String>,
}

/// In the order they are written, which a map of `serde_json` would not keep.
#[derive(Debug)]
struct Properties(Vec<(String, Property)>);

#[derive(Debug, Deserialize)]
struct Property {
    #[serde(default)]
    r#type: Value,
    description: Option<String>,
    default: Option<Value>,
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (name, Property { r#type, description, default }) in &self.properties.0 {
            write!(f, "{separator}  {name} ({}", r#type.as_str().unwrap_or("any"))?;
            match default {
                Some(default) => write!(f, ", default {default})")?,
                None if self.required.contains(name) => f.write_str(", required)")?,
                None => f.write_str(", optional)")?,
            }
            if let Some(description) = description {
                write!(f, ": {}", description.replace('\n', "\n    "))?;
            }
            separator = "\n";
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Properties;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("properties by their names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Properties, A::Error> {
        let mut properties = Vec::new();
        while let Some(entry) = map.next_entry()? {
            properties.push(entry);
        }
        Ok(Properties(properties))
    }
}
