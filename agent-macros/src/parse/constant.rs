//! What the tokens of an expression tell of its value.

use syn::{Expr, UnOp};

/// Whether it is written out: a number, a text, or a list of such.
pub(crate) fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_literal(&unary.expr),
        Expr::Array(array) => array.elems.iter().all(is_literal),
        Expr::Reference(reference) => is_literal(&reference.expr),
        Expr::Group(group) => is_literal(&group.expr),
        Expr::Paren(paren) => is_literal(&paren.expr),
        _ => false,
    }
}

/// Whether the compiler can surely evaluate it. By custom, what is written in capitals is constant;
/// of calls it cannot be told.
pub(crate) fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) => true,
        Expr::Path(path) => {
            let name = path.path.segments.last().map(|last| last.ident.to_string());
            name.is_some_and(|name| !name.contains(char::is_lowercase))
        }
        Expr::Unary(unary) => !matches!(unary.op, UnOp::Deref(_)) && is_constant(&unary.expr),
        Expr::Binary(binary) => is_constant(&binary.left) && is_constant(&binary.right),
        Expr::Cast(cast) => is_constant(&cast.expr),
        Expr::Array(array) => array.elems.iter().all(is_constant),
        Expr::Reference(reference) => is_constant(&reference.expr),
        Expr::Group(group) => is_constant(&group.expr),
        Expr::Paren(paren) => is_constant(&paren.expr),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_constant, is_literal};

    #[test]
    fn constants_are_known_by_their_capitals() {
        for source in ["1", "-1.5", "\"a\"", "LIMIT", "u8::MAX", "-(A + 2) as u8", "&[A, B]"] {
            assert!(is_constant(&syn::parse_str(source).unwrap()), "{source}");
        }
        for source in ["limit", "limit()", "*LIMIT", "Order::Up", "X.y", "{ A }", "vec![]"] {
            assert!(!is_constant(&syn::parse_str(source).unwrap()), "{source}");
        }
    }

    #[test]
    fn literals_are_written_out() {
        for source in ["1", "-(1.5)", "&[\"a\", \"b\"]"] {
            assert!(is_literal(&syn::parse_str(source).unwrap()), "{source}");
        }
        for source in ["LIMIT", "[A]", "1 + 1", "!1"] {
            assert!(!is_literal(&syn::parse_str(source).unwrap()), "{source}");
        }
    }
}
