//! Reading `"text", flag, name = value, list(..)`: what stands in `#[tool(..)]` and `#[arg(..)]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Error, Ident, LitStr, Result, Token};

use crate::diag::Diag;
use crate::suggest;

/// The options that one attribute takes.
pub(crate) trait Options: Default + 'static {
    /// The attribute with a description, as messages show it.
    const DESCRIBED: &'static str;
    /// Every option: its name, and how its value is read and kept.
    const TABLE: &'static [(&'static str, Setter<Self>)];

    /// Whether there is such an option.
    fn knows(word: &str) -> bool {
        Self::TABLE.iter().any(|(name, _)| *name == word)
    }

    /// Where the description goes.
    fn text(&mut self) -> &mut Option<LitStr>;

    /// What to write instead of a word that is an option elsewhere.
    fn advice(&mut self, word: &str) -> Option<String>;
}

const NOT_LITERAL: &str = "a description is a string literal, for a macro cannot see values";

/// Reads what follows an option's name and keeps it.
pub(crate) type Setter<O> = fn(&mut O, Ident, ParseStream<'_>) -> Result<()>;

/// Reads option lists into one set of options. A mistake costs its own entry, not the others.
pub(crate) fn read<O: Options>(lists: Vec<TokenStream>, diag: &mut Diag) -> O {
    let mut reader = Reader { options: O::default(), seen: Vec::new() };
    for list in lists {
        let result = (|input: ParseStream<'_>| reader.list(input, diag)).parse2(list);
        diag.keep(result);
    }
    reader.options
}

struct Reader<O> {
    options: O,
    seen: Vec<Ident>,
}

impl<O: Options> Reader<O> {
    fn list(&mut self, input: ParseStream<'_>, diag: &mut Diag) -> Result<()> {
        while !input.is_empty() {
            if let Err(error) = self.entry(input).and_then(|()| end_of_entry(input)) {
                diag.push(error);
                skip_entry(input)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, input: ParseStream<'_>) -> Result<()> {
        if input.peek(LitStr) {
            return self.text(input.parse()?);
        }
        if input.peek(Token![,]) {
            return Err(input.error("there is nothing in front of this comma: remove it"));
        }
        if !input.peek(Ident::peek_any) {
            return Err(self.no_text(input.span(), NOT_LITERAL));
        }
        let key = input.call(Ident::parse_any)?;
        let Some((_, set)) = O::TABLE.iter().find(|(name, _)| key == name) else {
            return Err(self.unknown(&key, input));
        };
        if self.seen.contains(&key) {
            return Err(Error::new(key.span(), format!("`{key}` is given twice: keep one")));
        }
        self.seen.push(key.clone());
        set(&mut self.options, key, input)
    }

    fn text(&mut self, text: LitStr) -> Result<()> {
        match self.options.text() {
            Some(_) => Err(Error::new(text.span(), "there are two descriptions: keep one")),
            none => {
                *none = Some(text);
                Ok(())
            }
        }
    }

    fn unknown(&mut self, key: &Ident, input: ParseStream<'_>) -> Error {
        let word = key.to_string();
        if is_constant(&word, input) {
            return self.no_text(key.span(), NOT_LITERAL);
        }
        if ["description", "desc", "doc"].contains(&word.as_str()) {
            return self.no_text(key.span(), "a description has no name");
        }
        let names = || O::TABLE.iter().map(|(name, _)| *name);
        let advice = if let Some(advice) = self.options.advice(&word) {
            advice
        } else if let Some(meant) = suggest::nearest(&word, names()) {
            format!("did you mean `{meant}`?")
        } else {
            let known = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            format!("the options are {known}")
        };
        Error::new(key.span(), format!("unknown option `{word}`: {advice}"))
    }

    /// The error for a description that is no string. A stand-in takes its place, for to say that
    /// there is none would be to say the same thing twice.
    fn no_text(&mut self, span: Span, what: &str) -> Error {
        self.options.text().get_or_insert_with(|| LitStr::new("..", span));
        Error::new(span, format!("{what}: write `{}`", O::DESCRIBED))
    }
}

fn end_of_entry(input: ParseStream<'_>) -> Result<()> {
    if input.is_empty() {
        return Ok(());
    }
    let misplaced = |_| input.error("options are separated by commas: write `,` in front of this");
    input.parse::<Token![,]>().map(drop).map_err(misplaced)
}

/// Goes on behind the next comma.
fn skip_entry(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() && input.parse::<Option<Token![,]>>()?.is_none() {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Whether this is a constant or a macro call, meant as the description.
fn is_constant(word: &str, input: ParseStream<'_>) -> bool {
    let alone = input.is_empty() || input.peek(Token![,]);
    alone && word.starts_with(char::is_uppercase) || input.peek(Token![!]) || input.peek(Token![::])
}
