//! What the program knows of the tool: its specification, and the entry that registers it.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{LitStr, Type};

use super::call::call;
use super::carrier::carrier;
use super::{bounds, default};
use crate::crate_path::HiddenPath;
use crate::doc_text::as_markdown;
use crate::model::{Param, Role, Text, Tool};
use crate::parse::ty;

/// The function as it was, and all that makes it a tool.
pub(crate) fn expand(tool: &Tool, hidden: &HiddenPath) -> TokenStream {
    let doc = missing_doc(tool);
    let lint = unfollowable_lint(tool);
    let function = &tool.item;
    let carrier = carrier(tool, hidden, &spec(tool));
    quote! {
        #doc
        #lint
        #function
        #carrier
    }
}

/// The description documents a function that has no other documentation.
fn missing_doc(tool: &Tool) -> Option<TokenStream> {
    if tool.item.attrs.iter().any(|attr| attr.path().is_ident("doc")) {
        return None;
    }
    let text = as_markdown(&tool.description.as_ref()?.value);
    Some(quote!(#[doc = #text]))
}

/// The advice of this lint, to take an argument by reference, is what the checks forbid.
fn unfollowable_lint(tool: &Tool) -> Option<TokenStream> {
    tool.arguments().next()?;
    Some(quote!(#[allow(clippy::needless_pass_by_value)]))
}

/// The specification, after what it needs and what it is checked by.
fn spec(tool: &Tool) -> TokenStream {
    let defaults = tool.arguments().filter_map(default::function);
    let checks = tool.arguments().map(bounds::checks);
    let name = literal(&tool.name());
    let description = tool.description.as_ref().map(literal);
    let params = tool.params.iter().filter_map(describe);
    let call = call(tool);
    let options = options(tool);
    let entry =
        registers(tool).then(|| quote!(__agent::inventory::submit! { __agent::Entry(&__SPEC) }));
    quote! {
        #(#defaults)*
        #(#checks)*
        static __SPEC: __agent::Spec = __agent::Spec::new(#name, #description, &[#(#params),*], #call)
            .at(::core::file!(), ::core::line!(), ::core::column!())
            #options;
        #entry
        &__SPEC
    }
}

/// The string, still where its author wrote it.
fn literal(text: &Text) -> LitStr {
    LitStr::new(&text.value, text.span)
}

/// What the specification says of a parameter. Of the context there is nothing to say.
fn describe(param: &Param) -> Option<TokenStream> {
    match param.role() {
        Role::Context => None,
        Role::State => Some(match ty::bare(&param.ty) {
            Type::Reference(reference) => {
                let ty = ty::elided(&reference.elem);
                quote!(__agent::Param::lent_state::<#ty>())
            }
            ty => {
                let ty = ty::elided(ty);
                quote!(__agent::Param::state::<#ty>())
            }
        }),
        Role::Argument => {
            let name = literal(&param.name()?);
            let ty = ty::decoded(&param.ty);
            let description =
                param.description.as_ref().map(literal).map(|text| quote!(.describe(#text)));
            let default = default::json(param).map(|json| quote!(.default(#json)));
            let within = bounds::within(param);
            let secret = param.attrs.options.secret.as_ref().map(|_| quote!(.secret()));
            Some(quote!(__agent::Param::new::<#ty>(#name) #description #default #within #secret))
        }
    }
}

/// The calls that add what was written in `#[tool(..)]`.
fn options(tool: &Tool) -> TokenStream {
    let o = &tool.options;
    let options = [
        o.read_only.as_ref().map(|_| quote!(.read_only())),
        o.destructive.as_ref().map(|_| quote!(.destructive())),
        o.idempotent.as_ref().map(|_| quote!(.idempotent())),
        o.open_world.as_ref().map(|_| quote!(.open_world())),
        o.needs_approval.as_ref().map(|_| quote!(.needs_approval())),
        o.inline.as_ref().map(|_| quote!(.inline())),
        o.tags.as_ref().map(|given| &given.value).map(|tags| quote!(.tags(&[#(#tags),*]))),
        o.timeout
            .as_ref()
            .map(|given| Literal::u64_unsuffixed(given.value))
            .map(|ms| quote!(.timeout_ms(#ms))),
        o.max_output
            .as_ref()
            .map(|given| Literal::usize_unsuffixed(given.value.get()))
            .map(|n| quote!(.max_output(#n))),
    ];
    options.into_iter().flatten().collect()
}

fn registers(tool: &Tool) -> bool {
    tool.options.register.as_ref().is_none_or(|register| register.value)
}
