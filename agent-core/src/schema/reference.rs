//! References to definitions, and putting a definition in the place of one.

use serde_json::{Map, Value};

/// The definition that `target` names: its name is encoded as a part of a URL, and in that as a part
/// of a JSON pointer.
pub(crate) fn definition_name(target: &str) -> Option<String> {
    let encoded = target.strip_prefix("#/$defs/")?;
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    Some(String::from_utf8(bytes).ok()?.replace("~1", "/").replace("~0", "~"))
}

/// Adds what `definition` says to a schema that referred to it. What is said at the use of a type
/// wins over what the type says of itself; fields are those of both.
pub(super) fn merge(map: &mut Map<String, Value>, definition: &Map<String, Value>) {
    for (key, value) in definition {
        match (map.get_mut(key), value) {
            (Some(Value::Object(fields)), Value::Object(more)) if key == "properties" => {
                for (name, schema) in more {
                    fields.entry(name).or_insert_with(|| schema.clone());
                }
            }
            (Some(Value::Array(names)), Value::Array(more)) if key == "required" => {
                names.extend(
                    more.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>(),
                );
            }
            (Some(_), _) => {}
            (None, value) => {
                map.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::definition_name;

    #[test]
    fn a_name_is_decoded_from_its_reference() {
        let names = [
            ("#/$defs/Node", Some("Node")),
            ("#/$defs/Gr%C3%B6%C3%9Fe", Some("Größe")),
            ("#/$defs/a~1b~0c", Some("a/b~c")),
            ("#/$defs/50%", Some("50%")),
            ("#/properties/a", None),
        ];
        for (target, name) in names {
            assert_eq!(definition_name(target).as_deref(), name, "{target}");
        }
    }
}
