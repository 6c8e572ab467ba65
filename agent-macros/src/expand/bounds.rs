//! `range` and `length`. The macro's own tokens stand where the compiler should point if what they
//! come to at compile time is a mistake.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, ExprRange, RangeLimits};

use super::default;
use crate::check::outside;
use crate::model::{Measure, Param};
use crate::parse::constant::{is_constant, is_literal};
use crate::parse::ty::{self, Shape};

/// The calls that bound a parameter.
pub(super) fn within(param: &Param) -> TokenStream {
    let within = |(measure, range): (Measure, &ExprRange)| {
        let bounds = bounds(measure, param, range);
        if ends(range).all(is_literal) {
            quote!(.within(#bounds.bounds()))
        } else {
            let checked = checked(&bounds, "bounds", &TokenStream::new(), range);
            quote!(.within(const #checked))
        }
    };
    param.bounds().map(|(measure, given)| within((measure, &given.value))).collect()
}

/// Whether the compiler can hold the default to its bounds.
pub(super) fn is_checked(param: &Param) -> bool {
    param.bounds().next().is_some() && param.default().is_some_and(is_constant)
}

/// Holds a constant default to its bounds. Literals were compared when the tool was checked.
pub(super) fn checks(param: &Param) -> TokenStream {
    let Some(default) = param.default().filter(|_| is_checked(param)) else {
        return TokenStream::new();
    };
    let check = |(measure, range): (Measure, &ExprRange)| {
        if is_literal(default) && ends(range).all(is_literal) {
            return None;
        }
        let (method, value) = held(measure, param, default)?;
        let message = outside(measure, range);
        let bounds = bounds(measure, param, range);
        let check = checked(&bounds, method, &quote!(#value, #message), default);
        Some(quote!(const _: () = #check;))
    };
    param.bounds().filter_map(|(measure, given)| check((measure, &given.value))).collect()
}

/// The method that checks the default, and what it is given.
fn held(measure: Measure, param: &Param, default: &Expr) -> Option<(&'static str, TokenStream)> {
    match (measure, ty::shape(&param.ty)) {
        (Measure::Size, _) | (Measure::Length, Shape::Str) => {
            let name = default::name(param)?;
            Some(("holds", quote!(#name())))
        }
        (Measure::Length, Shape::Slice(_)) => Some(("holds_items", quote!(&#default))),
        // Of the others, the compiler can make but a `String`, and that from a literal.
        (Measure::Length, _) => {
            ty::is_named(&param.ty, "String").then(|| ("holds", quote!(#default)))
        }
    }
}

/// The range before it is checked. If it is no range of the type, the compiler points to the type.
fn bounds(measure: Measure, param: &Param, range: &ExprRange) -> TokenStream {
    let (first, last) = place(&param.ty);
    let of = match measure {
        Measure::Size => quote_spanned!(first=> __agent::range),
        Measure::Length => quote_spanned!(first=> __agent::length),
    };
    let ty = ty::decoded(&param.ty);
    let all = quote_spanned!(last=> #of::<#ty>());
    let start = range.start.as_ref().map(|start| quote_spanned!(start.span()=> .at_least(#start)));
    let end = range.end.as_ref().map(|end| match range.limits {
        RangeLimits::Closed(_) => quote_spanned!(end.span()=> .at_most(#end)),
        RangeLimits::HalfOpen(_) => quote_spanned!(end.span()=> .below(#end)),
    });
    quote!(#all #start #end)
}

/// A method of the range that may panic, and then points to `at`.
fn checked(
    bounds: &TokenStream,
    method: &str,
    arguments: &TokenStream,
    at: impl ToTokens,
) -> TokenStream {
    let (first, last) = place(at);
    let (range, method) = (Ident::new("__range", first), Ident::new(method, first));
    let arguments = quote_spanned!(last=> (#arguments));
    quote!({ let #range = #bounds; #range.#method #arguments })
}

/// Where the first and the last token stand.
fn place(tokens: impl ToTokens) -> (Span, Span) {
    let mut spans = tokens.into_token_stream().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}

fn ends(range: &ExprRange) -> impl Iterator<Item = &Expr> {
    [range.start.as_deref(), range.end.as_deref()].into_iter().flatten()
}
