//! What the tokens of a type tell. They never tell surely, for any name can be an alias: the last
//! path segment is compared, and what goes unrecognised is left to the compiler.

use std::iter;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, Ident, Lifetime, PathArguments, PathSegment, Type, TypeReference};

/// How a parameter holds what the model sent.
pub(crate) enum Shape<'a> {
    /// `&str`.
    Str,
    /// `&[T]`.
    Slice(&'a Type),
    /// Any other reference.
    Reference(&'a TypeReference),
    /// By value.
    Owned,
}

pub(crate) fn shape(ty: &Type) -> Shape<'_> {
    match bare(ty) {
        Type::Reference(reference) if reference.mutability.is_none() => match bare(&reference.elem)
        {
            Type::Slice(slice) => Shape::Slice(&slice.elem),
            elem if is_named(elem, "str") => Shape::Str,
            _ => Shape::Reference(reference),
        },
        Type::Reference(reference) => Shape::Reference(reference),
        _ => Shape::Owned,
    }
}

/// The type without brackets, also those that `macro_rules!` leaves around a `$ty`.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        _ => ty,
    }
}

/// The last name of a path: `String` of `std::string::String`.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == name)
}

/// `T` of `Option<T>` or of another type by this name.
pub(crate) fn argument_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let segment = last_segment(ty).filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The type without its reference: `String` of `&mut str`, `Vec<T>` of `&mut [T]`.
pub(crate) fn owned(ty: &Type) -> TokenStream {
    match bare(ty) {
        Type::Reference(reference) => match bare(&reference.elem) {
            Type::Slice(slice) => {
                let elem = &slice.elem;
                quote!(Vec<#elem>)
            }
            elem if is_named(elem, "str") => quote!(String),
            elem => elem.to_token_stream(),
        },
        ty => ty.to_token_stream(),
    }
}

pub(crate) fn is_mutable_reference(ty: &Type) -> bool {
    matches!(bare(ty), Type::Reference(reference) if reference.mutability.is_some())
}

/// What is shared by a reference or an `Arc`, if it has no type of its own.
pub(crate) fn find_unsized_state(ty: &Type) -> Option<&Type> {
    let shared = match bare(ty) {
        Type::Reference(reference) => &reference.elem,
        ty => argument_of(ty, "Arc")?,
    };
    let is_unsized =
        matches!(bare(shared), Type::TraitObject(_) | Type::Slice(_)) || is_named(shared, "str");
    is_unsized.then_some(shared)
}

/// Whether the type, or what it refers to, holds no data of its own.
pub(crate) fn is_never_json(ty: &Type) -> bool {
    match bare(ty) {
        Type::Reference(reference) => is_never_json(&reference.elem),
        Type::Ptr(_) | Type::FnPtr(_) | Type::TraitObject(_) | Type::Never(_) => true,
        _ => false,
    }
}

/// The type that is decoded for a parameter: its own, or a list to lend a slice of.
pub(crate) fn decoded(ty: &Type) -> TokenStream {
    match shape(ty) {
        Shape::Slice(elem) => {
            let elem = elided(elem);
            quote!(__agent::Vec<#elem>)
        }
        _ => elided(ty),
    }
}

/// The same type, borrowing from no argument: `'static` stands for each lifetime.
pub(crate) fn eternal(ty: &Type) -> TokenStream {
    relabel(decoded(ty), "'static", true)
}

/// The type with `'_` for each lifetime that only the function itself can name.
pub(crate) fn elided(ty: &Type) -> TokenStream {
    relabel(ty.to_token_stream(), "'_", false)
}

/// Writes `label` for every lifetime but `'static`, and also behind a bare `&` if `bare` says so.
fn relabel(tokens: TokenStream, label: &str, bare: bool) -> TokenStream {
    let mut relabelled = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_bare =
            is_punct(&token, '&') && !tokens.peek().is_some_and(|next| is_punct(next, '\''));
        let span = token.span();
        match token {
            quote if is_punct(&quote, '\'') => match tokens.next() {
                Some(TokenTree::Ident(name)) if name == "static" => {
                    relabelled.extend([quote, name.into()])
                }
                _ => Lifetime::new(label, span).to_tokens(&mut relabelled),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), relabel(group.stream(), label, bare));
                inner.set_span(span);
                inner.to_tokens(&mut relabelled);
            }
            token => token.to_tokens(&mut relabelled),
        }
        if is_bare && bare {
            Lifetime::new(label, span).to_tokens(&mut relabelled);
        }
    }
    relabelled
}

fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

/// The first place where this word stands, however deep.
pub(crate) fn find_word(tokens: impl ToTokens, word: &str) -> Option<Ident> {
    flat(tokens.to_token_stream()).find_map(|token| match token {
        TokenTree::Ident(ident) if ident == word => Some(ident),
        _ => None,
    })
}

/// The `static` of a `&'static T` in the type, however deep.
pub(crate) fn find_static_reference(ty: &Type) -> Option<Ident> {
    let tokens: Vec<TokenTree> = flat(ty.to_token_stream()).collect();
    tokens.windows(3).find_map(|window| match window {
        [and, quote, TokenTree::Ident(name)]
            if is_punct(and, '&') && is_punct(quote, '\'') && name == "static" =>
        {
            Some(name.clone())
        }
        _ => None,
    })
}

/// The first slice that is lent inside of the type. Only a whole parameter can be one.
pub(crate) fn find_nested_slice(ty: &Type) -> Option<Group> {
    match shape(ty) {
        Shape::Slice(elem) => find_slice(elem.to_token_stream()),
        _ => find_slice(ty.to_token_stream()),
    }
}

fn find_slice(tokens: TokenStream) -> Option<Group> {
    let mut lent = false;
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) if lent && group.delimiter() == Delimiter::Bracket => Some(group),
        TokenTree::Group(group) => find_slice(group.stream()),
        token => {
            lent = is_punct(&token, '&');
            None
        }
    })
}

/// The tokens with those inside of brackets in line.
fn flat(tokens: TokenStream) -> Box<dyn Iterator<Item = TokenTree>> {
    Box::new(tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) => flat(group.stream()),
        token => Box::new(iter::once(token)),
    }))
}

/// A type or a range as people write it, for messages.
pub(crate) fn shown(tokens: impl ToTokens) -> String {
    const TIGHT: [(&str, &str); 15] = [
        ("& ", "&"),
        ("* ", "*"),
        (" ::", "::"),
        (":: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (" ;", ";"),
        ("[ ", "["),
        (" ]", "]"),
        ("- ", "-"),
        (" ..", ".."),
        ("..= ", "..="),
        (".. ", ".."),
    ];
    let text = tokens.to_token_stream().to_string();
    TIGHT.iter().fold(text, |text, (loose, tight)| text.replace(loose, tight))
}

#[cfg(test)]
mod tests {
    use syn::{Type, parse_quote};

    use super::{decoded, eternal, shown};

    #[test]
    fn lifetimes_of_the_function_are_elided_at_every_depth() {
        let ty: Type = parse_quote!(Either<'a, (&'b str, [Cow<'static, str>; 2])>);
        assert_eq!(shown(decoded(&ty)), "Either<'_, (&'_ str, [Cow<'static, str>; 2])>");
    }

    #[test]
    fn what_borrows_from_no_argument_names_no_lifetime_but_static() {
        let ty: Type = parse_quote!((&str, Cow<'_, [&'a str]>));
        assert_eq!(shown(eternal(&ty)), "(&'static str, Cow<'static, [&'static str]>)");
    }

    #[test]
    fn a_slice_is_decoded_as_a_list() {
        let ty: Type = parse_quote!(&'a [&'a str]);
        assert_eq!(shown(decoded(&ty)), "__agent::Vec<&'_ str>");
    }

    #[test]
    fn types_and_ranges_are_shown_as_people_write_them() {
        let ty: Type = parse_quote!(std::collections::HashMap<String, Vec<&[u8]>>);
        assert_eq!(shown(&ty), "std::collections::HashMap<String, Vec<&[u8]>>");
        for range in ["1..", "..MAX", "-1..10", "0.5..=A::B"] {
            let parsed: syn::ExprRange = syn::parse_str(range).unwrap();
            assert_eq!(shown(parsed), range);
        }
    }
}
