//! The values of options, each read by one function that says what to write if it is not there.

use std::fmt::Display;
use std::num::NonZeroUsize;

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{
    Error, Expr, ExprRange, Ident, LitBool, LitInt, LitStr, Result, Token, parenthesized, token,
};

/// Where an option is kept.
pub(crate) type Slot<T> = Option<Given<T>>;

/// An option that was written: the word that names it, to point at, and its value.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

impl<T> Given<T> {
    fn keep(slot: &mut Slot<T>, key: Ident, value: T) -> Result<()> {
        *slot = Some(Self { key, value });
        Ok(())
    }
}

/// `key`, alone.
pub(crate) fn flag(slot: &mut Slot<()>, key: Ident, input: ParseStream<'_>) -> Result<()> {
    if input.peek(Token![=]) || input.peek(token::Paren) {
        return Err(input.error(format!("`{key}` takes no value: write it alone, or leave it out")));
    }
    Given::keep(slot, key, ())
}

/// `key = value`, for any value that the syntax alone tells right from wrong.
pub(crate) fn any<T: Parse>(
    slot: &mut Slot<T>,
    key: Ident,
    input: ParseStream<'_>,
    due: &Due,
) -> Result<()> {
    let value = due.read(&key, input)?;
    Given::keep(slot, key, value)
}

/// `key = true` or `key = false`.
pub(crate) fn boolean(slot: &mut Slot<bool>, key: Ident, input: ParseStream<'_>) -> Result<()> {
    let value: LitBool = Due { kind: "`true` or `false`", example: "false" }.read(&key, input)?;
    Given::keep(slot, key, value.value)
}

/// `key = 3000`.
pub(crate) fn count(
    slot: &mut Slot<NonZeroUsize>,
    key: Ident,
    input: ParseStream<'_>,
    example: &'static str,
) -> Result<()> {
    let due = Due { kind: "a whole number above zero", example };
    let literal: LitInt = due.read(&key, input)?;
    let count = literal.base10_parse().map_err(|_| due.error(&key, literal.span()))?;
    Given::keep(slot, key, count)
}

/// `key = "5s"`, kept in milliseconds.
pub(crate) fn time(slot: &mut Slot<u64>, key: Ident, input: ParseStream<'_>) -> Result<()> {
    let literal: LitStr =
        Due { kind: "a time and its unit in quotes", example: "\"5s\"" }.read(&key, input)?;
    let wrong = |what: &dyn Display| {
        let message = format!("{what}: write a number and its unit, such as \"5s\" or \"500ms\"");
        Error::new(literal.span(), message)
    };
    let time = humantime::parse_duration(&literal.value()).map_err(|error| wrong(&error))?;
    match u64::try_from(time.as_millis()) {
        Ok(0) => Err(wrong(&"no tool ends in less than a millisecond")),
        Ok(milliseconds) => Given::keep(slot, key, milliseconds),
        Err(_) => Err(wrong(&"this is longer than can be counted")),
    }
}

/// `key = 1..=100`, or any other range that has an end.
pub(crate) fn range(
    slot: &mut Slot<ExprRange>,
    key: Ident,
    input: ParseStream<'_>,
    example: &'static str,
) -> Result<()> {
    let due = Due { kind: "a range", example };
    let value: Expr = due.read(&key, input)?;
    match ungrouped(value) {
        Expr::Range(range) if range.start.is_some() || range.end.is_some() => {
            Given::keep(slot, key, range)
        }
        other => Err(Error::new_spanned(other, due.message(&key))),
    }
}

/// The expression without brackets, also those that `macro_rules!` leaves around an `$expr`.
fn ungrouped(expr: Expr) -> Expr {
    match expr {
        Expr::Group(group) => ungrouped(*group.expr),
        Expr::Paren(paren) => ungrouped(*paren.expr),
        expr => expr,
    }
}

/// `key("..", "..")`.
pub(crate) fn texts(
    slot: &mut Slot<Vec<LitStr>>,
    key: Ident,
    input: ParseStream<'_>,
    example: &str,
) -> Result<()> {
    let wrong = |span| {
        Error::new(span, format!("`{key}` takes strings in brackets: write `{key}({example})`"))
    };
    if !input.peek(token::Paren) {
        return Err(wrong(key.span()));
    }
    let content;
    parenthesized!(content in input);
    let first = if content.is_empty() { key.span() } else { content.span() };
    // Taken out, for `syn` has an error of its own about what is left in brackets.
    let content: TokenStream = content.parse()?;
    match Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(content) {
        Ok(texts) if !texts.is_empty() => Given::keep(slot, key, texts.into_iter().collect()),
        _ => Err(wrong(first)),
    }
}

/// What is due after `key =`, in words and by example.
pub(crate) struct Due {
    pub(crate) kind: &'static str,
    pub(crate) example: &'static str,
}

impl Due {
    pub(crate) const fn text(example: &'static str) -> Self {
        Self { kind: "a string", example }
    }

    fn read<T: Parse>(&self, key: &Ident, input: ParseStream<'_>) -> Result<T> {
        if input.parse::<Option<Token![=]>>()?.is_none() || input.is_empty() {
            return Err(self.error(key, key.span()));
        }
        let start = input.span();
        input.parse().map_err(|_| self.error(key, start))
    }

    fn error(&self, key: &Ident, span: Span) -> Error {
        Error::new(span, self.message(key))
    }

    fn message(&self, key: &Ident) -> String {
        let Self { kind, example } = self;
        format!("`{key}` takes {kind}: write `{key} = {example}`")
    }
}
