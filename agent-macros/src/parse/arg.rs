//! The attributes of a parameter: `#[arg(..)]`, `#[state]`, `#[context]` and doc comments.

use std::mem;

use proc_macro2::TokenStream;
use syn::{Attribute, Error, Expr, LitStr, Meta, PatType, Result};

use super::list::{self, Options, Setter};
use super::options::ToolOptions;
use super::value::{self, Due, Slot};
use crate::diag::Diag;
use crate::model::Role;
use crate::suggest;

/// What was written in `#[arg(..)]`.
#[derive(Default)]
pub(crate) struct ArgOptions {
    pub(crate) text: Option<LitStr>,
    pub(crate) default: Slot<Expr>,
    pub(crate) rename: Slot<LitStr>,
}

impl Options for ArgOptions {
    const DESCRIBED: &'static str = "#[arg(\"..\")]";

    const TABLE: &'static [(&'static str, Setter<Self>)] = &[
        ("default", |o, key, input| value::any(&mut o.default, key, input, &DEFAULT)),
        ("rename", |o, key, input| value::any(&mut o.rename, key, input, &RENAME)),
    ];

    fn text(&mut self) -> &mut Option<LitStr> {
        &mut self.text
    }

    fn advice(word: &str) -> Option<String> {
        match word {
            "name" => Some("write `rename = \"..\"`".to_owned()),
            word if ToolOptions::knows(word) => {
                Some("it is for the whole tool: write it in `#[tool(..)]`".to_owned())
            }
            _ => None,
        }
    }
}

const DEFAULT: Due = Due { kind: "a value", example: "1" };
const RENAME: Due = Due::text("\"type\"");

/// The attributes that are the macro's own.
pub(crate) const OWN: [&str; 3] = ["arg", "state", "context"];

/// The attributes of one parameter, sorted.
#[derive(Default)]
pub(crate) struct Attributes {
    /// `#[state]` and `#[context]`.
    pub(crate) sources: Vec<(Role, Attribute)>,
    /// Every `#[arg(..)]`, and what they say together.
    pub(crate) args: Vec<Attribute>,
    pub(crate) options: ArgOptions,
    pub(crate) docs: Vec<Attribute>,
}

/// Takes the macro's own attributes off a parameter, and its doc comment, which Rust would refuse.
pub(crate) fn take(param: &mut PatType, diag: &mut Diag) -> Attributes {
    let mut taken = Attributes::default();
    for attr in mem::take(&mut param.attrs) {
        let name = attr.path().get_ident().map(ToString::to_string).unwrap_or_default();
        match name.as_str() {
            "doc" => taken.docs.push(attr),
            "arg" => taken.args.push(attr),
            "state" => taken.sources.push((Role::State, attr)),
            "context" => taken.sources.push((Role::Context, attr)),
            _ => param.attrs.extend(diag.keep(foreign(&name, attr))),
        }
    }
    let lists = taken.args.iter().filter_map(|arg| diag.keep(list_of(arg))).collect();
    taken.options = list::read(lists, diag);
    taken
}

fn list_of(attr: &Attribute) -> Result<TokenStream> {
    match &attr.meta {
        Meta::List(list) if !list.tokens.is_empty() => Ok(list.tokens.clone()),
        _ => Err(Error::new_spanned(
            attr,
            "`#[arg]` takes its options in brackets: write `#[arg(\"what it is for\")]`",
        )),
    }
}

/// Somebody else's attribute stays, unless it is ours misspelt, or hides from the macro whether
/// there is a parameter at all.
fn foreign(name: &str, attr: Attribute) -> Result<Attribute> {
    let message = if name == "cfg" {
        "the parameters of a tool cannot be conditional: write two functions, each under its own \
         `#[cfg(..)]`"
            .to_owned()
    } else if let Some(meant) = suggest::nearest(name, OWN) {
        format!("unknown attribute `{name}`: did you mean `#[{meant}]`?")
    } else {
        return Ok(attr);
    };
    Err(Error::new_spanned(attr.path(), message))
}
