//! From what was parsed to the [`Tool`] that is checked and expanded.

use syn::{FnArg, PatType};

use crate::diag::Diag;
use crate::doc_text::doc_text;
use crate::model::{Param, Text, Tool};
use crate::parse::arg;
use crate::parse::item::Item;
use crate::parse::options::ToolOptions;

/// Takes the attributes meant for the macro off the function and puts the tool together.
pub(crate) fn lower(mut item: Item, options: ToolOptions, diag: &mut Diag) -> Tool {
    drop_repeated(&mut item, diag);
    let params = item
        .sig
        .inputs
        .iter_mut()
        .filter_map(|input| match input {
            FnArg::Typed(input) => Some(lower_param(input, diag)),
            FnArg::Receiver(_) => None,
        })
        .collect();
    // The string wins: a function may well tell its readers more than it tells the model.
    let description = match &options.text {
        Some(text) => Some(Text::from(text)),
        None => doc_text(&item.attrs, diag),
    };
    Tool { item, options, description, params }
}

/// A second `#[tool]` would make a second tool of the same name.
fn drop_repeated(item: &mut Item, diag: &mut Diag) {
    item.attrs.retain(|attr| {
        let repeated = attr.path().segments.last().is_some_and(|last| last.ident == "tool");
        if repeated {
            diag.on(attr, "this function is a tool already: keep one `#[tool]`");
        }
        !repeated
    });
}

fn lower_param(input: &mut PatType, diag: &mut Diag) -> Param {
    let attrs = arg::take(input, diag);
    let doc = doc_text(&attrs.docs, diag);
    let description = attrs.options.text.as_ref().map(Text::from).or(doc);
    Param { pat: (*input.pat).clone(), ty: (*input.ty).clone(), attrs, description }
}
