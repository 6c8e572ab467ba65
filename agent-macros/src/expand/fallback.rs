//! What is left of a tool with mistakes: its function and its name, so that the mistakes are all
//! the compiler talks of.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::Error;

use super::carrier::carrier;
use crate::crate_path::HiddenPath;
use crate::model::Tool;
use crate::parse::arg::OWN;

/// The function, a type that `tools![..]` takes, and the errors.
pub(crate) fn fallback(tool: &Tool, hidden: &HiddenPath, error: &Error) -> TokenStream {
    let function = &tool.item;
    let errors = error.to_compile_error();
    let carrier = function.is_free().then(|| carrier(tool, hidden, &quote!(&__agent::BROKEN)));
    quote! {
        #function
        #carrier
        #errors
    }
}

/// An item whose signature could not be parsed, without the attributes that only the macro knows.
pub(crate) fn unparsed(item: TokenStream, error: &Error) -> TokenStream {
    let errors = error.to_compile_error();
    let item: TokenStream = item
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                TokenTree::Group(without_attributes(&group))
            }
            token => token,
        })
        .collect();
    quote! {
        #item
        #errors
    }
}

fn without_attributes(params: &Group) -> Group {
    let mut kept = Vec::new();
    let mut tokens = params.stream().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match (&token, tokens.peek()) {
            (TokenTree::Punct(hash), Some(TokenTree::Group(attr)))
                if hash.as_char() == '#' && is_own(attr) =>
            {
                tokens.next();
            }
            _ => kept.push(token),
        }
    }
    let mut group = Group::new(params.delimiter(), kept.into_iter().collect());
    group.set_span(params.span());
    group
}

fn is_own(attr: &Group) -> bool {
    match attr.stream().into_iter().next() {
        Some(TokenTree::Ident(name)) => name == "doc" || OWN.iter().any(|own| name == own),
        _ => false,
    }
}
