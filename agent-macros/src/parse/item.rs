//! The function under the attribute.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt as _};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Result, Signature, Token, Visibility};

use super::ty;

/// A function of which only the signature is parsed. The body stays tokens, so that one which is
/// still being typed neither stops the macro nor costs the editor its completions.
pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: TokenStream,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        if !is_function(&input.fork()) {
            return Err(input.error("a tool is a function: write `#[tool(\"..\")]` above a `fn`"));
        }
        Ok(Self { attrs, vis, sig: input.parse()?, body: input.parse()? })
    }
}

impl Item {
    /// Whether other items can stand beside it, as they cannot in an `impl`, a trait or an `extern` block.
    pub(crate) fn is_free(&self) -> bool {
        self.sig.receiver().is_none() && self.find_self_type().is_none() && self.has_body()
    }

    /// The first `Self` in the signature.
    pub(crate) fn find_self_type(&self) -> Option<Ident> {
        ty::find_word(&self.sig, "Self")
    }

    /// Whether there is a body, or just a `;` as in a trait.
    pub(crate) fn has_body(&self) -> bool {
        matches!(self.body.clone().into_iter().next(), Some(TokenTree::Group(_)))
    }
}

/// The words that may stand before `fn`.
const QUALIFIERS: [&str; 5] = ["const", "async", "unsafe", "safe", "extern"];

/// Whether `fn` comes next, after any of the words that may stand before it.
fn is_function(input: ParseStream<'_>) -> bool {
    while !input.is_empty() && !input.peek(Token![fn]) {
        match input.parse() {
            Ok(TokenTree::Ident(word)) if QUALIFIERS.iter().any(|qualifier| word == qualifier) => {}
            // The name of an ABI.
            Ok(TokenTree::Literal(_)) => {}
            _ => return false,
        }
    }
    !input.is_empty()
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attrs);
        self.vis.to_tokens(tokens);
        self.sig.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}
