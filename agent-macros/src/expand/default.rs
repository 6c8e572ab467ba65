//! Defaults. Each is a function of its own, so that its expression stands in one place, whatever
//! is done with its value.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Expr, ExprLit, Lit};

use super::bounds;
use crate::model::Param;
use crate::parse::ty::{self, Shape};

/// The function that gives the default.
pub(super) fn function(param: &Param) -> Option<TokenStream> {
    let name = name(param)?;
    let ty = ty::eternal(&param.ty);
    let value = param.default()?;
    Some(match (ty::shape(&param.ty), value) {
        (Shape::Slice(_), _) => quote!(fn #name() -> #ty { __agent::Vec::from(#value) }),
        (_, Expr::Lit(ExprLit { lit: Lit::Str(text), .. }))
            if ty::is_named(&param.ty, "String") =>
        {
            quote!(fn #name() -> #ty { __agent::String::from(#text) })
        }
        _ => {
            let constant = bounds::is_checked(param).then(|| quote!(const));
            quote!(#constant fn #name() -> #ty { #value })
        }
    })
}

/// The default as the schema shows it.
pub(super) fn json(param: &Param) -> Option<TokenStream> {
    let name = name(param)?;
    let ty = ty::eternal(&param.ty);
    Some(quote!(__agent::default_json!(#ty, #name())))
}

/// What the argument is when the model leaves it out.
pub(super) fn value(param: &Param) -> Option<TokenStream> {
    let name = name(param)?;
    // A closure, for what it returns may live shorter than what the function does.
    Some(quote!(|| #name()))
}

/// The name of that function.
pub(super) fn name(param: &Param) -> Option<Ident> {
    param.default()?;
    Some(format_ident!("__default_{}", param.ident()?.unraw(), span = Span::call_site()))
}
