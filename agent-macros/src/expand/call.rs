//! The closure that calls the function with what the model sent.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ReturnType;
use syn::spanned::Spanned as _;

use super::default;
use crate::model::{Param, Role, Tool};
use crate::parse::ty::{self, Shape};

/// How the function is called.
pub(super) fn call(tool: &Tool) -> TokenStream {
    let body = checked_call(tool);
    match &tool.item.sig.asyncness {
        // Where the future is not `Send`, the compiler points to the `async`.
        Some(word) => {
            let future = quote_spanned!(word.span=> __agent::boxed(async move { #body }));
            quote!(__agent::Call::Async(|__args| #future))
        }
        None => quote!(__agent::Call::Sync(|__args| #body)),
    }
}

/// Reads all arguments before it judges any, so that the model hears of all its mistakes at once.
fn checked_call(tool: &Tool) -> TokenStream {
    let reads: Vec<_> = tool.arguments().filter_map(read).collect();
    let reply = reply(tool);
    if reads.is_empty() {
        return reply;
    }
    let names: Vec<_> = (0..reads.len()).map(binding).collect();
    quote! {
        match (#(#reads,)*) {
            (#(__agent::Ok(#names),)*) => #reply,
            (#(#names,)*) => __agent::refuse([#(#names.err()),*]),
        }
    }
}

/// The expression that reads one argument.
fn read(param: &Param) -> Option<TokenStream> {
    let name = param.name()?.value;
    let ty = ty::decoded(&param.ty);
    let masked = param.attrs.options.secret.as_ref().map(|_| quote!(.map_err(__agent::masked)));
    Some(match default::value(param) {
        Some(default) => quote!(__args.get_or::<#ty>(#name, #default) #masked),
        None => quote!(__args.get::<#ty>(#name) #masked),
    })
}

/// The call itself, and what becomes of its value. If nothing can, the compiler points to the
/// return type.
fn reply(tool: &Tool) -> TokenStream {
    let sig = &tool.item.sig;
    let function = &sig.ident;
    let given = given(tool);
    let wait = sig.asyncness.map(|_| quote!(.await));
    let returned = match &sig.output {
        ReturnType::Type(_, ty) => ty.span(),
        ReturnType::Default => Span::call_site(),
    };
    quote_spanned!(returned=> __agent::reply!(#function(#(#given),*) #wait))
}

/// What the function is given, in the order of its parameters.
fn given(tool: &Tool) -> Vec<TokenStream> {
    let mut bindings = (0..).map(binding);
    let given = |param: &Param| match (param.role(), ty::shape(&param.ty)) {
        (Role::State, _) => {
            let ty = ty::elided(&param.ty);
            Some(quote!(__args.state::<#ty>()))
        }
        (Role::Context, _) => {
            // A type that comes from another macro must not take the name with it.
            let args = Ident::new("__args", Span::call_site().located_at(param.ty.span()));
            let ty = ty::elided(&param.ty);
            Some(quote_spanned!(param.ty.span()=> #args.context::<#ty>()))
        }
        (Role::Argument, Shape::Slice(_)) => bindings.next().map(|name| quote!(&#name)),
        (Role::Argument, _) => bindings.next().map(|name| quote!(#name)),
    };
    tool.params.iter().filter_map(given).collect()
}

fn binding(index: usize) -> Ident {
    format_ident!("__{index}")
}
