//! The closure that calls the function with what the model sent.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, ExprLit, Lit};

use crate::model::{Param, Role, Tool};
use crate::parse::ty::{self, Shape};

/// How the function is called: all arguments are read before any is judged, so that the model
/// hears of all its mistakes at once.
pub(super) fn call(tool: &Tool) -> TokenStream {
    let names = || tool.arguments().enumerate().map(|(index, _)| format_ident!("__{index}"));
    let given = given(tool);
    let function = &tool.item.sig.ident;
    let reply = match tool.item.sig.asyncness {
        Some(_) => quote!(__agent::reply!(#function(#(#given),*).await)),
        None => quote!(__agent::reply!(#function(#(#given),*))),
    };
    let reads: Vec<_> = tool.arguments().filter_map(read).collect();
    let (oks, errs) = (names(), names());
    let all = names();
    let body = if reads.is_empty() {
        reply
    } else {
        quote! {
            match (#(#reads,)*) {
                (#(__agent::Ok(#oks),)*) => #reply,
                (#(#all,)*) => __agent::refuse([#(#errs.err()),*]),
            }
        }
    };
    match tool.item.sig.asyncness {
        Some(_) => quote!(__agent::Call::Async(|__args| __agent::boxed(async move { #body }))),
        None => quote!(__agent::Call::Sync(|__args| #body)),
    }
}

/// The expression that reads one argument.
fn read(param: &Param) -> Option<TokenStream> {
    let name = param.name()?.value;
    let ty = ty::decoded(&param.ty);
    Some(match default(param) {
        Some(value) => quote!(__args.get_or::<#ty>(#name, || #value)),
        None => quote!(__args.get::<#ty>(#name)),
    })
}

/// The default as a value of the type that is read.
pub(super) fn default(param: &Param) -> Option<TokenStream> {
    let value = param.default()?;
    Some(match (ty::shape(&param.ty), value) {
        (Shape::Slice(_), _) => quote!(__agent::Vec::from(#value)),
        (_, Expr::Lit(ExprLit { lit: Lit::Str(text), .. }))
            if ty::is_named(&param.ty, "String") =>
        {
            quote!(__agent::String::from(#text))
        }
        _ => quote!(#value),
    })
}

/// What the function is given, in the order of its parameters.
fn given(tool: &Tool) -> Vec<TokenStream> {
    let mut index = 0;
    tool.params
        .iter()
        .map(|param| match param.role() {
            Role::State => quote!(__args.state()),
            Role::Context => quote!(__args.context()),
            Role::Argument => {
                let name: Ident = format_ident!("__{index}");
                index += 1;
                match ty::shape(&param.ty) {
                    Shape::Slice(_) => quote!(&#name),
                    _ => quote!(#name),
                }
            }
        })
        .collect()
}
