//! The text of doc comments, in all the ways they can be written.

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::diag::Diag;
use crate::model::Text;

/// The doc comment among these attributes, if there is one.
///
/// What sets a comment apart from its mark goes, as do blank lines at both ends; the rest is verbatim.
pub(crate) fn doc_text(attrs: &[Attribute], diag: &mut Diag) -> Option<Text> {
    let mut lines = Vec::new();
    let mut span: Option<Span> = None;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        // `#[doc(hidden)]` and its like are not text.
        let Meta::NameValue(meta) = &attr.meta else {
            continue;
        };
        span.get_or_insert(meta.value.span());
        if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value {
            lines.extend(comment_lines(&text.value()));
        } else {
            diag.on(
                &meta.value,
                "the macro cannot read this: write the text as a literal, or write the model's \
                 description as `#[tool(\"..\")]` or `#[arg(\"..\")]`",
            );
            lines.push("..".to_owned());
        }
    }
    span.map(|span| Text { value: joined(&lines), span })
}

/// The lines of one doc attribute, which is one `///` line, a `/** */` block or a `#[doc = ".."]`.
fn comment_lines(comment: &str) -> Vec<String> {
    let mut lines: Vec<&str> = comment.split('\n').collect();
    // What does not begin with white space is no comment but a `#[doc = ".."]`, laid out by hand.
    if comment.starts_with(char::is_whitespace)
        && let Some((first, later)) = lines.split_first_mut()
    {
        *first = without_space(first);
        undecorate(later);
    }
    lines.into_iter().map(str::to_owned).collect()
}

/// Takes the ` * ` border, or else the common indentation, off the later lines of a block.
fn undecorate(lines: &mut [&str]) {
    let written = || lines.iter().filter(|line| !is_blank(line));
    let bordered = written().all(|line| line.trim_start().starts_with('*'));
    let indentation = written().map(|line| line.len() - line.trim_start().len()).min();
    for line in lines {
        let bare = line.trim_start();
        *line = match bare.strip_prefix('*') {
            Some(text) if bordered => without_space(text),
            _ => indentation.and_then(|width| line.get(width..)).unwrap_or(bare),
        };
    }
}

/// The text behind the space that separates it from the comment's mark.
fn without_space(text: &str) -> &str {
    text.strip_prefix(' ').unwrap_or(text)
}

/// The lines as one text, without blank ones at either end.
fn joined(lines: &[String]) -> String {
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    lines[first..].join("\n").trim_end().to_owned()
}

/// The text as Markdown that shows it as it is. What is written for a model may hold `<id>` or
/// `[0]`, at which rustdoc would stumble.
pub(crate) fn as_markdown(text: &str) -> String {
    let mut escaped = String::new();
    for line in text.lines() {
        for char in line.trim_start().chars() {
            if char.is_ascii_punctuation() {
                escaped.push('\\');
            }
            escaped.push(char);
        }
        escaped.push('\n');
    }
    escaped.trim_end().to_owned()
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use syn::Attribute;
    use syn::parse::Parser as _;

    use super::{as_markdown, doc_text};
    use crate::diag::Diag;

    fn text(source: &str) -> Option<String> {
        let attrs = Attribute::parse_outer.parse_str(source).unwrap();
        let mut diag = Diag::default();
        let text = doc_text(&attrs, &mut diag);
        diag.finish().unwrap();
        text.map(|text| text.value)
    }

    #[test]
    fn odd_characters_arrive_verbatim() {
        let source = r#"
            /// Say "hi" \\ {x} 50% 日
            ///
            /// ```
            ///   indented
            /// ```
        "#;
        let expected = "Say \"hi\" \\\\ {x} 50% 日\n\n```\n  indented\n```";
        assert_eq!(text(source).as_deref(), Some(expected));
    }

    #[test]
    fn the_ways_to_write_a_comment_give_one_text() {
        for source in [
            "/// First.\n///\n/// - second",
            "/** First.\n\n    - second */",
            "/**\n     * First.\n     *\n     * - second\n     */",
            "/**\n     First.\n\n     - second\n     */",
            "#[doc = \"First.\\n\\n- second\"]",
            "#[doc = \"First.\"]\n#[doc = \"\"]\n/// - second",
        ] {
            assert_eq!(text(source).as_deref(), Some("First.\n\n- second"), "{source}");
        }
    }

    #[test]
    fn indentation_within_the_text_is_the_same_in_each_way() {
        for source in [
            "/// First.\n///   - second",
            "/** First.\n\u{20}\u{20}- second\nthird */",
            "/**\n * First.\n *   - second\n */",
            "#[doc = \"First.\\n  - second\"]",
        ] {
            let text = text(source).unwrap();
            assert!(text.starts_with("First.\n  - second"), "{source} gives {text}");
        }
    }

    #[test]
    fn outer_blank_lines_go_and_inner_indentation_stays() {
        let source = "///\n///     let x = 1;\n///\n///";
        assert_eq!(text(source).as_deref(), Some("    let x = 1;"));
    }

    #[test]
    fn no_character_of_a_text_is_markup() {
        let text = "Find <id> in [list].\n    # see https://example.org";
        let expected = r"Find \<id\> in \[list\]\.
\# see https\:\/\/example\.org";
        assert_eq!(as_markdown(text), expected);
    }

    #[test]
    fn other_doc_attributes_are_not_text() {
        assert_eq!(text("#[doc(hidden)] #[inline]"), None);
    }

    #[test]
    fn a_text_the_macro_cannot_read_is_refused() {
        let source = r#"#[doc = include_str!("x.md")]"#;
        let attrs = Attribute::parse_outer.parse_str(source).unwrap();
        let mut diag = Diag::default();
        doc_text(&attrs, &mut diag);
        assert!(diag.finish().is_err());
    }
}
