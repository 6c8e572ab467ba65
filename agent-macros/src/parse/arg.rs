//! The attributes of a parameter: `#[arg(..)]`, `#[state]`, `#[context]` and doc comments.

use std::mem;

use proc_macro2::TokenStream;
use syn::{Attribute, Error, Expr, ExprRange, LitStr, Meta, PatType, Result};

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
    pub(crate) range: Slot<ExprRange>,
    pub(crate) length: Slot<ExprRange>,
    pub(crate) rename: Slot<LitStr>,
    pub(crate) secret: Slot<()>,
    /// Whether `state` or `context` was written as an option: then the model is not to send it.
    pub(crate) names_a_source: bool,
}

impl Options for ArgOptions {
    const DESCRIBED: &'static str = "#[arg(\"..\")]";

    const TABLE: &'static [(&'static str, Setter<Self>)] = &[
        ("default", |o, key, input| value::any(&mut o.default, key, input, &DEFAULT)),
        ("range", |o, key, input| value::range(&mut o.range, key, input, "1..=100")),
        ("length", |o, key, input| value::range(&mut o.length, key, input, "1..=40")),
        ("rename", |o, key, input| value::any(&mut o.rename, key, input, &RENAME)),
        ("secret", |o, key, input| value::flag(&mut o.secret, key, input)),
    ];

    fn text(&mut self) -> &mut Option<LitStr> {
        &mut self.text
    }

    fn advice(&mut self, word: &str) -> Option<String> {
        let advice = match word {
            "name" => "write `rename = \"..\"`",
            "min" | "max" | "minimum" | "maximum" => "write `range = 1..=100`",
            "len" | "min_length" | "max_length" => "write `length = 1..=40`",
            "optional" | "required" => {
                "the model may leave out an `Option` or what has a default, and nothing else"
            }
            "state" | "context" => {
                self.names_a_source = true;
                "it is an attribute of its own: write `#[state]` or `#[context]`"
            }
            word if ToolOptions::knows(word) => {
                "it is for the whole tool: write it in `#[tool(..)]`"
            }
            _ => return None,
        };
        Some(advice.to_owned())
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
