//! Rules about defaults. Literals are judged here; what is wrong with any other expression the
//! compiler says, at the expression.

use std::fmt;

use syn::{Expr, ExprUnary, Lit, LitInt, UnOp};

use crate::diag::Diag;
use crate::model::Param;
use crate::parse::ty::{self, Shape};

pub(super) fn check(param: &Param, diag: &mut Diag) {
    option_has_none(param, diag);
    literal_is_of_the_type(param, diag);
}

/// An option that is left out is `None`.
fn option_has_none(param: &Param, diag: &mut Diag) {
    let Some(given) = &param.attrs.options.default else {
        return;
    };
    if let Some(inner) = ty::argument_of(&param.ty, "Option") {
        let inner = ty::shown(inner);
        let message = format!(
            "an `Option` that is left out is `None`: remove the default, or write `{inner}` for the type"
        );
        diag.on(&given.key, message);
    }
}

fn literal_is_of_the_type(param: &Param, diag: &mut Diag) {
    let Some(default) = param.default() else {
        return;
    };
    let (Some(kind), Some(literal)) = (Kind::of(param), Literal::of(default)) else {
        return;
    };
    let ty = ty::shown(&param.ty);
    if !kind.takes(&literal, &ty) {
        let example = kind.example(&literal);
        let message =
            format!("this default is no `{ty}`: write one, such as `default = {example}`");
        diag.on(default, message);
    } else if let (Kind::Int(range), Lit::Int(int)) = (kind, literal.lit)
        && !range.holds(int, literal.negative)
    {
        diag.on(default, format!("this default is outside `{ty}`: write one of {range}"));
    }
}

/// A literal and its sign.
struct Literal<'a> {
    negative: bool,
    lit: &'a Lit,
}

impl<'a> Literal<'a> {
    fn of(expr: &'a Expr) -> Option<Self> {
        match expr {
            Expr::Lit(expr) => Some(Self { negative: false, lit: &expr.lit }),
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match &**expr {
                Expr::Lit(expr) => Some(Self { negative: true, lit: &expr.lit }),
                _ => None,
            },
            Expr::Group(group) => Self::of(&group.expr),
            _ => None,
        }
    }
}

/// The well-known types, by the literals they take.
#[derive(Clone, Copy)]
enum Kind {
    Int(Range),
    Float,
    Bool,
    Char,
    Text,
}

impl Kind {
    fn of(param: &Param) -> Option<Self> {
        if matches!(ty::shape(&param.ty), Shape::Str) {
            return Some(Self::Text);
        }
        match ty::last_segment(&param.ty)?.ident.to_string().as_str() {
            "f32" | "f64" => Some(Self::Float),
            "bool" => Some(Self::Bool),
            "char" => Some(Self::Char),
            "String" => Some(Self::Text),
            name => Range::of(name).map(Self::Int),
        }
    }

    fn takes(self, literal: &Literal<'_>, ty: &str) -> bool {
        let suffixed = |suffix: &str| suffix.is_empty() || ty.ends_with(suffix);
        match (self, literal.lit) {
            (Self::Int(_), Lit::Int(int)) => suffixed(int.suffix()),
            (Self::Float, Lit::Float(float)) => suffixed(float.suffix()),
            (Self::Bool, Lit::Bool(_)) | (Self::Char, Lit::Char(_)) | (Self::Text, Lit::Str(_)) => {
                !literal.negative
            }
            _ => false,
        }
    }

    /// What the author most likely meant, or else any literal of this kind.
    fn example(self, literal: &Literal<'_>) -> String {
        let sign = if literal.negative { "-" } else { "" };
        match (self, literal.lit) {
            (Self::Float, Lit::Int(int)) => format!("{sign}{int}.0", int = int.base10_digits()),
            (Self::Int(_), Lit::Int(int)) => format!("{sign}{int}", int = int.base10_digits()),
            (Self::Text, Lit::Char(char)) => format!("{:?}", char.value().to_string()),
            (Self::Int(_), _) => "1".to_owned(),
            (Self::Float, _) => "1.0".to_owned(),
            (Self::Bool, _) => "true".to_owned(),
            (Self::Char, _) => "'a'".to_owned(),
            (Self::Text, _) => "\"text\"".to_owned(),
        }
    }
}

/// The values of an integer type.
#[derive(Clone, Copy)]
struct Range {
    signed: bool,
    bits: u32,
}

impl Range {
    fn of(ty: &str) -> Option<Self> {
        let (signed, size) = match ty.split_at_checked(1)? {
            ("i", size) => (true, size),
            ("u", size) => (false, size),
            _ => return None,
        };
        let bits = match size {
            "8" | "16" | "32" | "64" | "128" => size.parse().ok()?,
            "size" => 64,
            _ => return None,
        };
        Some(Self { signed, bits })
    }

    /// The largest number above or below zero.
    fn limit(self, negative: bool) -> u128 {
        let all = u128::MAX >> (128 - self.bits);
        match (self.signed, negative) {
            (false, false) => all,
            (false, true) => 0,
            (true, false) => all >> 1,
            (true, true) => (all >> 1) + 1,
        }
    }

    fn holds(self, int: &LitInt, negative: bool) -> bool {
        int.base10_parse::<u128>().is_ok_and(|size| size <= self.limit(negative))
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.signed { "-" } else { "" };
        write!(f, "{sign}{}..={}", self.limit(true), self.limit(false))
    }
}
