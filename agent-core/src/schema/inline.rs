//! Putting types where they are used, unless they are recursive or very large.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::walk::for_each_child;

/// In characters of JSON. Types that hold types that hold types can double in size at each level.
const LARGEST: usize = 8 * 1024;

/// The definitions of a schema, and what becomes of each.
pub(super) struct Inliner {
    definitions: Map<String, Value>,
    sizes: HashMap<String, Size>,
}

#[derive(Clone, Copy)]
enum Size {
    /// Being measured: whoever asks is part of it.
    Open,
    /// Inlined, at this many characters.
    Inlined(usize),
    /// Referred to.
    Kept,
}

impl Inliner {
    pub(super) fn new(definitions: Map<String, Value>) -> Self {
        let mut inliner = Self { definitions, sizes: HashMap::new() };
        let names: Vec<String> = inliner.definitions.keys().cloned().collect();
        for name in names {
            inliner.measure(&name);
        }
        inliner
    }

    /// Inlines what `schema` refers to.
    pub(super) fn inline(&self, schema: &mut Value) {
        let Value::Object(map) = schema else { return };
        if let Some(name) = target(map)
            && matches!(self.sizes.get(&name), Some(Size::Inlined(_)))
            && let Some(Value::Object(definition)) = self.definitions.get(&name)
        {
            map.remove("$ref");
            // What is said at the use of a type wins over what the type says of itself.
            for (key, value) in definition {
                map.entry(key).or_insert_with(|| value.clone());
            }
            return self.inline(schema);
        }
        for_each_child(map, |child| self.inline(child));
    }

    /// The definitions that are still referred to.
    pub(super) fn kept(mut self) -> Map<String, Value> {
        let names: Vec<String> = self.definitions.keys().cloned().collect();
        let mut kept = Map::new();
        for name in names {
            if matches!(self.sizes.get(&name), Some(Size::Kept))
                && let Some(mut definition) = self.definitions.get(&name).cloned()
            {
                self.inline(&mut definition);
                kept.insert(name, definition);
            }
        }
        self.definitions.clear();
        kept
    }

    /// How much text a use of the definition comes to. A definition that reaches itself is kept.
    fn measure(&mut self, name: &str) -> usize {
        const REFERENCE: usize = 32;
        match self.sizes.get(name) {
            Some(Size::Inlined(size)) => return *size,
            Some(Size::Kept) => return REFERENCE,
            Some(Size::Open) => {
                self.sizes.insert(name.to_owned(), Size::Kept);
                return REFERENCE;
            }
            None => {}
        }
        let Some(definition) = self.definitions.get(name) else { return REFERENCE };
        let own = definition.to_string().len();
        let mut targets = Vec::new();
        collect_targets(&mut definition.clone(), &mut targets);
        self.sizes.insert(name.to_owned(), Size::Open);
        let size =
            targets.iter().fold(own, |size, target| size.saturating_add(self.measure(target)));
        if size <= LARGEST && !matches!(self.sizes.get(name), Some(Size::Kept)) {
            self.sizes.insert(name.to_owned(), Size::Inlined(size));
            size
        } else {
            self.sizes.insert(name.to_owned(), Size::Kept);
            REFERENCE
        }
    }
}

fn collect_targets(schema: &mut Value, targets: &mut Vec<String>) {
    let Value::Object(map) = schema else { return };
    targets.extend(target(map));
    for_each_child(map, |child| collect_targets(child, targets));
}

fn target(map: &Map<String, Value>) -> Option<String> {
    map.get("$ref")?.as_str()?.strip_prefix("#/$defs/").map(str::to_owned)
}
