//! Where generated code finds `agent-core`.

use proc_macro_crate::{Error, FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;

use crate::diag::Diag;

const PACKAGE: &str = "agent-core";

/// The path of the core crate, ready to be put before `::__private`.
pub(crate) struct CratePath(TokenStream);

impl CratePath {
    /// The path given as `crate = ..`, or else what the manifest calls the package.
    pub(crate) fn new(given: Option<&Path>, diag: &mut Diag) -> Self {
        match given {
            Some(path) => Self(path.to_token_stream()),
            None => Self::from_manifest(diag),
        }
    }

    fn from_manifest(diag: &mut Diag) -> Self {
        match crate_name(PACKAGE) {
            Ok(FoundCrate::Name(name)) => {
                let name = Ident::new(&name, Span::call_site());
                return Self(quote!(::#name));
            }
            Err(Error::CrateNotFound { .. }) => diag.at(
                Span::call_site(),
                "`agent-core` is not among the dependencies of this crate: add it, or say where it \
                 is re-exported: `#[tool(.., crate = ::the_crate::agent_core)]`",
            ),
            // `agent-core` names itself so that its own tests can use the macro. And where there is
            // no manifest to read, as in other build systems, the usual name is the best guess.
            Ok(FoundCrate::Itself) | Err(_) => {}
        }
        Self(quote!(::agent_core))
    }
}

impl ToTokens for CratePath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}
