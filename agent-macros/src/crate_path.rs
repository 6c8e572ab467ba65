//! Where generated code finds what it calls.

use proc_macro_crate::{Error, FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;

use crate::diag::Diag;

const PACKAGE: &str = "agent-core";

/// The path of the hidden module of `agent-core` by which generated code reaches everything.
pub(crate) struct HiddenPath(TokenStream);

impl HiddenPath {
    /// Under the path given as `crate = ..`, or else under what the manifest calls the package.
    pub(crate) fn new(given: Option<&Path>, diag: &mut Diag) -> Self {
        let krate = match given {
            Some(path) => quote!(#path),
            None => from_manifest(diag),
        };
        Self(quote!(#krate::__private))
    }
}

fn from_manifest(diag: &mut Diag) -> TokenStream {
    match crate_name(PACKAGE) {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            return quote!(::#name);
        }
        Err(Error::CrateNotFound { .. }) => diag.at(
            Span::call_site(),
            "`agent-core` is not among the dependencies of this crate: add it, or say where it is re-exported, with \
             `#[tool(.., crate = ::the_crate::agent_core)]`",
        ),
        // `agent-core` names itself so that its own tests can use the macro. And where there is no
        // manifest to read, as in other build systems, the usual name is the best guess.
        Ok(FoundCrate::Itself) | Err(_) => {}
    }
    quote!(::agent_core)
}

impl ToTokens for HiddenPath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}
