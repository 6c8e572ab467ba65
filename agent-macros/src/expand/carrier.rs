//! The type of the tool's name, which `tools![..]` is given and which `use` brings along.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Attribute;

use crate::crate_path::HiddenPath;
use crate::model::Tool;
use crate::parse::ty;

/// The type, carrying the specification that `spec` comes to. In `spec`, `__agent` is the hidden
/// module.
pub(super) fn carrier(tool: &Tool, hidden: &HiddenPath, spec: &TokenStream) -> TokenStream {
    let attrs = &tool.item.attrs;
    let conditions: Vec<_> = attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
    let deprecated = attrs.iter().any(deprecates).then(|| quote!(#[allow(deprecated)]));
    let vis = &tool.item.vis;
    let handle = unlinted(tool.handle());
    let doc = format!("The tool `{}`, as `tools![{handle}]` takes it.", tool.name().value);
    // Braces keep the type out of the namespace of values, where the function is. And no `const _`
    // goes around the rest: in an `impl`, where none of this may stand, it would mean more errors.
    quote! {
        #(#conditions)*
        #[doc = #doc]
        #vis struct #handle {}

        #(#conditions)*
        #deprecated
        impl #hidden::ToolItem for #handle {
            const SPEC: &'static #hidden::Spec = {
                use #hidden as __agent;
                #spec
            };
        }
    }
}

/// Whether the attribute is `#[deprecated]`, be it only on a condition.
fn deprecates(attr: &Attribute) -> bool {
    ty::find_word(attr, "deprecated").is_some()
}

/// The same identifier as code of the macro's own: lints about how types are named pass over it,
/// while errors still point to it.
fn unlinted(ident: &Ident) -> Ident {
    format_ident!("{ident}", span = Span::call_site().located_at(ident.span()))
}
