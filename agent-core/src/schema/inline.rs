//! Putting types where they are used, unless they are recursive or very large.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::reference::{definition_name, merge};
use super::walk::for_each_child;

/// In characters of JSON. Types that hold types that hold types can double in size at each level.
const LARGEST: usize = 8 * 1024;
/// A type that is one of its own variants is merged into itself no more often than this.
const MOST_MERGED: usize = 8;

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
        self.inline_at(schema, 0);
    }

    fn inline_at(&self, schema: &mut Value, merged: usize) {
        let Value::Object(map) = schema else { return };
        if let Some(name) = target(map)
            && let Some(definition) = self.definitions.get(&name)
            && (self.is_inlined(&name) || map.contains_key("properties") && merged < MOST_MERGED)
        {
            // Fields beside a reference belong to one object with those of what it names, whether
            // that is recursive or not.
            map.remove("$ref");
            if let Value::Object(definition) = definition {
                merge(map, definition);
            }
            return self.inline_at(schema, merged + 1);
        }
        for_each_child(map, |child| self.inline_at(child, merged));
    }

    fn is_inlined(&self, name: &str) -> bool {
        matches!(self.sizes.get(name), Some(Size::Inlined(_)))
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
    definition_name(map.get("$ref")?.as_str()?)
}
