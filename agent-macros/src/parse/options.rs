//! The options of `#[tool(..)]`.

use std::num::NonZeroUsize;

use syn::{Ident, LitStr, Path};

use super::arg::ArgOptions;
use super::list::{Options, Setter};
use super::value::{self, Due, Slot};

/// What was written in `#[tool(..)]`.
#[derive(Default)]
pub(crate) struct ToolOptions {
    pub(crate) text: Option<LitStr>,
    pub(crate) name: Slot<LitStr>,
    pub(crate) handle: Slot<Ident>,
    pub(crate) read_only: Slot<()>,
    pub(crate) destructive: Slot<()>,
    pub(crate) idempotent: Slot<()>,
    pub(crate) open_world: Slot<()>,
    pub(crate) needs_approval: Slot<()>,
    pub(crate) tags: Slot<Vec<LitStr>>,
    pub(crate) timeout: Slot<u64>,
    pub(crate) max_output: Slot<NonZeroUsize>,
    pub(crate) inline: Slot<()>,
    pub(crate) register: Slot<bool>,
    pub(crate) krate: Slot<Path>,
}

impl Options for ToolOptions {
    const DESCRIBED: &'static str = "#[tool(\"..\")]";

    const TABLE: &'static [(&'static str, Setter<Self>)] = &[
        ("name", |o, key, input| value::any(&mut o.name, key, input, &NAME)),
        ("handle", |o, key, input| value::any(&mut o.handle, key, input, &HANDLE)),
        ("read_only", |o, key, input| value::flag(&mut o.read_only, key, input)),
        ("destructive", |o, key, input| value::flag(&mut o.destructive, key, input)),
        ("idempotent", |o, key, input| value::flag(&mut o.idempotent, key, input)),
        ("open_world", |o, key, input| value::flag(&mut o.open_world, key, input)),
        ("needs_approval", |o, key, input| value::flag(&mut o.needs_approval, key, input)),
        ("tags", |o, key, input| value::texts(&mut o.tags, key, input, TAGS)),
        ("timeout", |o, key, input| value::time(&mut o.timeout, key, input)),
        ("max_output", |o, key, input| value::count(&mut o.max_output, key, input, "3000")),
        ("inline", |o, key, input| value::flag(&mut o.inline, key, input)),
        ("register", |o, key, input| value::boolean(&mut o.register, key, input)),
        ("crate", |o, key, input| value::any(&mut o.krate, key, input, &CRATE)),
    ];

    fn text(&mut self) -> &mut Option<LitStr> {
        &mut self.text
    }

    fn advice(&mut self, word: &str) -> Option<String> {
        ArgOptions::knows(word)
            .then(|| "it is for a parameter: write it in `#[arg(..)]` in front of one".to_owned())
    }
}

const NAME: Due = Due::text("\"read_file\"");
const HANDLE: Due = Due { kind: "a name without quotes", example: "ReadFile" };
const TAGS: &str = "\"docs\", \"search\"";
const CRATE: Due = Due { kind: "a path without quotes", example: "::the_crate::agent_core" };
