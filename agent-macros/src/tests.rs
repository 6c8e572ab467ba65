//! The expansion, token by token. What the compiler makes of it is tested with `agent-core`.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::expand;

/// The expansion as rustfmt would show it.
fn pretty(options: TokenStream, item: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(expand(options, item)).unwrap())
}

/// The text of each `compile_error!`.
fn errors(expansion: TokenStream) -> Vec<String> {
    let tokens: Vec<_> = expansion.into_iter().collect();
    let message = |window: &[TokenTree]| match window {
        [TokenTree::Ident(name), _, TokenTree::Group(message)] if name == "compile_error" => {
            Some(syn::parse2::<syn::LitStr>(message.stream()).unwrap().value())
        }
        _ => None,
    };
    tokens.windows(3).filter_map(message).collect()
}

#[test]
fn a_tool_of_two_parameters_expands_to_few_lines() {
    let expansion = pretty(
        quote!("Subtract b from a."),
        quote! {
            pub fn subtract(
                /// The number to begin with.
                a: f64,
                #[arg("The number to take away.")] b: f64,
            ) -> f64 {
                a - b
            }
        },
    );
    let function = r"///Subtract b from a\.
#[allow(clippy::needless_pass_by_value)]
pub fn subtract(a: f64, b: f64) -> f64 {
    a - b
}
";
    let generated = include_str!("tests/two_parameters.expanded");
    assert_eq!(expansion, format!("{function}{generated}"));
    assert!(generated.lines().count() < 35);
}

#[test]
fn the_agent_s_parameters_and_borrowed_ones_are_given_by_position() {
    let expansion = pretty(
        quote!("Search."),
        quote! {
            async fn search<'a>(
                words: &'a [&'a str],
                #[state] docs: &Docs<'a>,
                #[state] log: Arc<Log>,
                #[arg(default = "en")] language: &str,
                #[context] cx: &ToolContext,
            ) {}
        },
    );
    for expected in [
        r#"fn __default_language() -> &'static str {
            "en"
        }"#,
        r#"__agent::Param::new::<__agent::Vec<&'_ str>>("words")"#,
        "__agent::Param::lent_state::<Docs<'_>>()",
        "__agent::Param::state::<Arc<Log>>()",
        r#"__agent::default_json!(&'static str, __default_language())"#,
        r#"__args.get::<__agent::Vec<&'_ str>>("words")"#,
        r#"__args.get_or::<&str>("language", || __default_language())"#,
        "search(
                                    &__0,
                                    __args.state::<&Docs<'_>>(),
                                    __args.state::<Arc<Log>>(),
                                    __1,
                                    __args.context::<&ToolContext>()
                                ).await",
    ] {
        let (flat, expected) = (without_space(&expansion), without_space(expected));
        assert!(flat.contains(&expected), "no {expected} in {expansion}");
    }
}

fn without_space(code: &str) -> String {
    code.split_whitespace().collect()
}

#[test]
fn each_option_is_one_call() {
    let options = quote!(
        "x",
        name = "y-z",
        handle = Handle,
        read_only,
        idempotent,
        open_world,
        needs_approval,
        inline,
        tags("a", "b"),
        max_output = 1_000,
        register = false,
        crate = crate::kit
    );
    let expansion = without_space(&pretty(
        options,
        quote!(
            pub(crate) fn f() {}
        ),
    ));
    for expected in [
        "pub(crate)structHandle{}implcrate::kit::__private::ToolItemforHandle",
        "usecrate::kit::__privateas__agent;",
        r#"__agent::Spec::new("y-z","x",&[],__agent::Call::Sync(|__args|__agent::reply!(f())),)"#,
        r#".read_only().idempotent().open_world().needs_approval().inline().tags(&["a","b"]).max_output(1000);&__SPEC"#,
    ] {
        assert!(expansion.contains(expected), "no {expected} in {expansion}");
    }
}

#[test]
fn bounds_and_secrets_are_said_once_and_constant_defaults_are_held_to_them() {
    let expansion = pretty(
        quote!("x"),
        quote! {
            fn f(
                #[arg(range = 1..)] from: u32,
                #[arg(range = LEAST..=9, default = FEW)] few: u8,
                #[arg(length = ..5, default = "no", secret)] word: &str,
            ) {}
        },
    );
    for expected in [
        r#"Param::new::<u32>("from").within(__agent::range::<u32>().at_least(1).bounds()),"#,
        "const fn __default_few() -> u8 { FEW }",
        "const _: () = { let __range = __agent::range::<u8>().at_least(LEAST).at_most(9);
            __range.holds(__default_few(), \"this default is outside the range `LEAST..=9`: write one that is within\",) };",
        "within(const { let __range = __agent::range::<u8>().at_least(LEAST).at_most(9); __range.bounds() })",
        ".within(__agent::length::<&str>().below(5).bounds()).secret(),",
        r#"__args.get_or::<&str>("word", || __default_word()).map_err(__agent::masked)"#,
    ] {
        let (flat, expected) = (without_space(&expansion), without_space(expected));
        assert!(flat.contains(&expected), "no {expected} in {expansion}");
    }
}

#[test]
fn a_body_that_is_half_typed_is_left_as_it_is() {
    let body = quote!({ let x = 1 x. });
    let expansion = expand(quote!("x"), quote!(fn f(a: u8) #body));
    assert!(expansion.to_string().contains(&body.to_string()));
    assert_eq!(errors(expansion), [""; 0]);
}

#[test]
fn a_tool_with_a_mistake_keeps_its_function_and_its_name() {
    let expansion = expand(quote!("x"), quote!(fn f(#[arg("y")] a: &mut String) -> u8 { a. }));
    let code = expansion.to_string();
    assert!(code.starts_with("fn f (a : & mut String) -> u8 { a . }"), "{code}");
    assert!(code.contains("struct f { }"), "{code}");
    assert!(code.contains("& __agent :: BROKEN"), "{code}");
    assert_eq!(errors(expansion), ["a tool owns its arguments: write `mut a: String`"]);
}

#[test]
fn a_signature_that_is_half_typed_is_one_error() {
    let item = quote!(fn f(#[arg("y")] #[allow(unused)] a: u8, #[state] b: ) -> u8 { a });
    let expansion = expand(quote!("x"), item);
    let code = expansion.to_string();
    assert!(code.starts_with("fn f (# [allow (unused)] a : u8 , b :) -> u8 { a }"), "{code}");
    assert_eq!(errors(expansion).len(), 1);
}

#[test]
fn a_method_gets_no_item_beside_it() {
    for item in [
        quote!(
            fn f(&self) {}
        ),
        quote!(
            fn f(of: Self) {}
        ),
        quote!(
            fn f() -> Box<Self> {}
        ),
        quote!(
            fn f();
        ),
    ] {
        let expansion = expand(quote!("x"), item.clone());
        assert!(!expansion.to_string().contains("struct"));
        assert_eq!(errors(expansion).len(), 1, "{item}");
    }
}

#[test]
fn attributes_stay_and_conditions_hold_for_all_that_is_generated() {
    let expansion = pretty(
        quote!("x"),
        quote! {
            #[must_use]
            #[cfg(feature = "f")]
            #[cfg_attr(all(), deprecated)]
            fn f() {}
        },
    );
    assert!(expansion.contains(
        "#[must_use]\n#[cfg(feature = \"f\")]\n#[cfg_attr(all(), deprecated)]\nfn f() {}"
    ));
    assert_eq!(expansion.matches("#[cfg(feature = \"f\")]").count(), 3);
    assert!(expansion.contains("#[allow(deprecated)]\nimpl"));
}

#[test]
fn the_model_sees_raw_identifiers_without_their_prefix() {
    let item = quote!(
        fn r#match(r#type: String, #[arg(default = 1)] r#fn: u8) {}
    );
    let expansion = pretty(quote!("x"), item);
    for expected in [
        "struct r#match {}",
        "\"match\",",
        "__agent::Param::new::<String>(\"type\")",
        "__args.get_or::<u8>(\"fn\", || __default_fn())",
        "reply!(r#match(__0, __1))",
    ] {
        assert!(expansion.contains(expected), "no {expected} in {expansion}");
    }
}

#[test]
fn a_doc_comment_is_the_description_and_the_only_documentation() {
    let item = quote! {
        /// Say "hi" \\ {x}.
        ///
        ///   - twice
        fn f() {}
    };
    let expansion = expand(TokenStream::new(), item).to_string();
    assert!(expansion.contains(r#""Say \"hi\" \\\\ {x}.\n\n  - twice""#), "{expansion}");
    assert_eq!(expansion.matches("doc").count(), 4, "{expansion}");
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let options = quote!(readonly, timeout = 5, nonsense, name = "a b", inline);
    let item = quote! {
        async fn f<T>(a: &String, (b, c): T, #[arg(default = 300)] d: u8, #[context] e: ToolContext) {}
    };
    let errors = errors(expand(options, item));
    let beginnings = [
        "unknown option `readonly`: did you mean `read_only`?",
        "`timeout` takes a time",
        "unknown option `nonsense`: the options are `name`, `handle`, ",
        "a tool cannot be generic",
        "the model must be told what this tool does",
        "a model cannot call `a b`",
        "an `async` function runs on the async threads anyway",
        "arguments are lent as `&str` or `&[T]`, not as `&String`",
        "a tool parameter needs a name",
        "this default is outside `u8`: write one of 0..=255",
        "the context is lent for the call: write `e: &ToolContext`",
    ];
    assert_eq!(errors.len(), beginnings.len(), "{errors:#?}");
    for (error, beginning) in errors.iter().zip(beginnings) {
        assert!(error.starts_with(beginning), "{error}");
    }
}
