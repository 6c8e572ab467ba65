//! What the program knows of the tool: its specification, and the entry that registers it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use super::call::{self, call};
use super::carrier::carrier;
use crate::crate_path::CratePath;
use crate::model::{Param, Role, Text, Tool};
use crate::parse::ty;

/// The function as it was, and all that makes it a tool.
pub(crate) fn expand(tool: &Tool, krate: &CratePath) -> TokenStream {
    let function = &tool.item;
    let name = literal(&tool.name());
    let description = tool.description.as_ref().map(literal);
    let params = tool.params.iter().filter_map(param);
    let call = call(tool);
    let options = options(tool);
    let entry =
        registers(tool).then(|| quote!(__agent::inventory::submit! { __agent::Entry(&__SPEC) }));
    let spec = quote! {
        static __SPEC: __agent::Spec = __agent::Spec::new(
            #name,
            #description,
            &[#(#params),*],
            #call,
        )
        .at(::core::file!(), ::core::line!(), ::core::column!())
        #options;
        #entry
    };
    let carrier = carrier(tool, krate, &spec, &quote!(&__SPEC));
    quote! {
        #function
        #carrier
    }
}

/// The string, still where its author wrote it.
fn literal(text: &Text) -> LitStr {
    LitStr::new(&text.value, text.span)
}

/// What the specification says of a parameter. Of the context there is nothing to say.
fn param(param: &Param) -> Option<TokenStream> {
    match param.role() {
        Role::Context => None,
        Role::State => {
            let ty = ty::elided(&param.ty);
            Some(quote!(__agent::Param::state::<#ty>()))
        }
        Role::Argument => {
            let name = literal(&param.name()?);
            let ty = ty::decoded(&param.ty);
            let describe =
                param.description.as_ref().map(literal).map(|text| quote!(.describe(#text)));
            let default = call::default(param)
                .map(|value| quote!(.default(__agent::default_json!(#ty, #value))));
            Some(quote!(__agent::Param::new::<#ty>(#name) #describe #default))
        }
    }
}

/// The calls that add what was written in `#[tool(..)]`, each one an option.
fn options(tool: &Tool) -> TokenStream {
    let o = &tool.options;
    [
        o.read_only.as_ref().map(|_| quote!(.read_only())),
        o.destructive.as_ref().map(|_| quote!(.destructive())),
        o.idempotent.as_ref().map(|_| quote!(.idempotent())),
        o.open_world.as_ref().map(|_| quote!(.open_world())),
        o.inline.as_ref().map(|_| quote!(.inline())),
        o.tags.as_ref().map(|tags| list(&tags.value)),
        o.timeout.as_ref().map(|timeout| &timeout.value).map(|ms| quote!(.timeout_ms(#ms))),
        o.max_output.as_ref().map(|max| max.value.get()).map(|max| quote!(.max_output(#max))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn list(tags: &[LitStr]) -> TokenStream {
    quote!(.tags(&[#(#tags),*]))
}

fn registers(tool: &Tool) -> bool {
    tool.options.register.as_ref().is_none_or(|register| register.value)
}
