//! The expansion, token by token. What the compiler makes of it is tested with `agent-core`.

use proc_macro2::TokenStream;
use quote::quote;

/// The expansion as rustfmt would show it.
fn pretty(options: TokenStream, item: TokenStream) -> String {
    let expansion = crate::expand(options, item);
    prettyplease::unparse(&syn::parse2(expansion).unwrap())
}

/// The expansion without what it holds of the function as it was written.
fn generated(options: TokenStream, item: TokenStream) -> String {
    let function = prettyplease::unparse(&syn::parse2(item.clone()).unwrap());
    pretty(options, item).strip_prefix(&function).unwrap().to_owned()
}

/// The text of each `compile_error!`.
fn errors(options: TokenStream, item: TokenStream) -> Vec<String> {
    let tokens: Vec<_> = crate::expand(options, item).into_iter().collect();
    tokens
        .windows(3)
        .filter(|window| window[0].to_string() == "compile_error")
        .map(|window| window[2].to_string())
        .collect()
}

#[test]
fn x() {
    println!(
        "{}",
        pretty(
            quote!("Subtract b from a.", read_only, tags("math"), timeout = "5s"),
            quote! {
                pub fn subtract(#[state] s: &State, /** hi */ a: f64, #[arg("second", default = 1.0)] b: f64) -> f64 { a - b }
            }
        )
    );
    println!(
        "{:#?}",
        errors(
            quote!(readonly, timeout = 5, foo, name = "a b", inline),
            quote! {
                async fn subtract<T>(&self, s: &String, a: &mut [u8], (a, b): X, #[arg(default = 300)] b: u8) -> f64 { a - b 1. }
            }
        )
    );
}
