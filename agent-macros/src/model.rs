//! A tool as its author wrote it: what the checks read and the expansion renders.

use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::{Expr, ExprRange, Ident, LitStr, Pat, Type};

use crate::parse::arg::Attributes;
use crate::parse::item::Item;
use crate::parse::options::ToolOptions;
use crate::parse::value::Given;

/// A text for the model, and where it was written.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) value: String,
    pub(crate) span: Span,
}

impl From<&LitStr> for Text {
    fn from(literal: &LitStr) -> Self {
        Self { value: literal.value(), span: literal.span() }
    }
}

/// An identifier is shown without its `r#`.
impl From<&Ident> for Text {
    fn from(ident: &Ident) -> Self {
        Self { value: ident.unraw().to_string(), span: ident.span() }
    }
}

/// A function that carries `#[tool]`.
pub(crate) struct Tool {
    /// The function, without the attributes that were meant for the macro.
    pub(crate) item: Item,
    pub(crate) options: ToolOptions,
    pub(crate) description: Option<Text>,
    pub(crate) params: Vec<Param>,
}

impl Tool {
    /// The name the model calls it by.
    pub(crate) fn name(&self) -> Text {
        match &self.options.name {
            Some(given) => Text::from(&given.value),
            None => Text::from(&self.item.sig.ident),
        }
    }

    /// The name of the type that stands for it in `tools![..]`.
    pub(crate) fn handle(&self) -> &Ident {
        self.options.handle.as_ref().map_or(&self.item.sig.ident, |given| &given.value)
    }

    /// The parameters that the model fills in.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| param.role() == Role::Argument)
    }
}

/// Who gives a parameter its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The model.
    Argument,
    /// The agent, from its shared state.
    State,
    /// The call itself.
    Context,
}

/// What bounds are about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    /// How large a number is: `range`.
    Size,
    /// How long a text, a list or a map is: `length`.
    Length,
}

/// One parameter of the function.
pub(crate) struct Param {
    pub(crate) pat: Pat,
    pub(crate) ty: Type,
    pub(crate) attrs: Attributes,
    pub(crate) description: Option<Text>,
}

impl Param {
    pub(crate) fn role(&self) -> Role {
        self.attrs.sources.first().map_or(Role::Argument, |(role, _)| *role)
    }

    /// The identifier, where the pattern is no more than that.
    pub(crate) fn ident(&self) -> Option<&Ident> {
        match &self.pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(&pat.ident),
            _ => None,
        }
    }

    /// The name the model knows it by. There is none under a pattern.
    pub(crate) fn name(&self) -> Option<Text> {
        match &self.attrs.options.rename {
            Some(given) => Some(Text::from(&given.value)),
            None => self.ident().map(Text::from),
        }
    }

    pub(crate) fn default(&self) -> Option<&Expr> {
        self.attrs.options.default.as_ref().map(|given| &given.value)
    }

    /// Its `range` and its `length`.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = (Measure, &Given<ExprRange>)> {
        let options = &self.attrs.options;
        let range = options.range.as_ref().map(|given| (Measure::Size, given));
        let length = options.length.as_ref().map(|given| (Measure::Length, given));
        range.into_iter().chain(length)
    }
}
