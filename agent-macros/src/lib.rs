//! The `#[tool]` attribute of `agent-core`, which re-exports it.

mod check;
mod crate_path;
mod diag;
mod doc_text;
#[cfg(test)]
mod documentation;
mod expand;
mod lower;
mod model;
mod parse;
mod suggest;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::crate_path::HiddenPath;
use crate::diag::Diag;
use crate::parse::list;

#[doc = include_str!("tool.md")]
#[proc_macro_attribute]
pub fn tool(
    options: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(options.into(), item.into()).into()
}

fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut diag = Diag::default();
    let options = list::read(vec![options], &mut diag);
    let item = match syn::parse2(item.clone()) {
        Ok(parsed) => parsed,
        Err(error) => return expand::unparsed(item, &error),
    };
    let tool = lower::lower(item, options, &mut diag);
    check::check(&tool, &mut diag);
    let path = tool.options.krate.as_ref().map(|given| &given.value);
    let hidden = HiddenPath::new(path, &mut diag);
    match diag.finish() {
        Ok(()) => expand::expand(&tool, &hidden),
        Err(error) => expand::fallback(&tool, &hidden, &error),
    }
}
