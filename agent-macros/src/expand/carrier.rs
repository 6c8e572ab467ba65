//! The type of the tool's name, which `tools![..]` is given and which `use` brings along.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Attribute;

use crate::crate_path::CratePath;
use crate::model::Tool;

/// The type, and its implementation of `ToolItem` inside of a `const` that also holds `rest` and
/// where `spec` is the specification. In there, `__agent` is all that is named.
pub(super) fn carrier(
    tool: &Tool,
    krate: &CratePath,
    rest: &TokenStream,
    spec: &TokenStream,
) -> TokenStream {
    let vis = &tool.item.vis;
    let handle = quiet(tool.handle());
    let conditions: Vec<_> = tool.item.attrs.iter().filter(|attr| is_condition(attr)).collect();
    let doc = format!("The tool `{}`, as `tools![{handle}]` takes it.", tool.name().value);
    // Braces keep the type out of the namespace of values, where the function is.
    quote! {
        #(#conditions)*
        #[doc = #doc]
        #vis struct #handle {}

        #(#conditions)*
        #[allow(deprecated)]
        const _: () = {
            use #krate::__private as __agent;
            #rest
            impl __agent::ToolItem for #handle {
                const SPEC: &'static __agent::Spec = #spec;
            }
        };
    }
}

fn is_condition(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg")
}

/// The same identifier as code of the macro's own, so that no lint about how types are named looks
/// at it, though errors still point to it.
fn quiet(ident: &Ident) -> Ident {
    format_ident!("{ident}", span = Span::call_site().located_at(ident.span()))
}
