//! Literals, and the well-known types by the literals they take.

use std::cmp::Ordering;
use std::fmt;

use syn::{Expr, ExprUnary, Lit, LitInt, Type, UnOp};

use crate::parse::ty::{self, Shape};

/// A literal and its sign.
pub(super) struct Literal<'a> {
    pub(super) negative: bool,
    pub(super) lit: &'a Lit,
}

impl<'a> Literal<'a> {
    pub(super) fn of(expr: &'a Expr) -> Option<Self> {
        match expr {
            Expr::Lit(expr) => Some(Self { negative: false, lit: &expr.lit }),
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match &**expr {
                Expr::Lit(expr) => Some(Self { negative: true, lit: &expr.lit }),
                _ => None,
            },
            Expr::Group(group) => Self::of(&group.expr),
            Expr::Paren(paren) => Self::of(&paren.expr),
            _ => None,
        }
    }

    /// The number, where it is one that can be compared without loss.
    pub(super) fn number(&self) -> Option<Number> {
        let sign = if self.negative { -1 } else { 1 };
        match self.lit {
            Lit::Int(int) => Some(Number::Int(sign * int.base10_parse::<i128>().ok()?)),
            Lit::Float(float) => {
                let size = float.base10_parse::<f64>().ok()?;
                Some(Number::Float(if self.negative { -size } else { size }))
            }
            _ => None,
        }
    }
}

/// The value of a literal.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Number {
    Int(i128),
    Float(f64),
}

/// Those of different kinds are of different types, at which the compiler will stop.
impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => one.partial_cmp(other),
            (Self::Float(one), Self::Float(other)) => one.partial_cmp(other),
            _ => None,
        }
    }
}

/// The well-known types, by the literals they take.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Int(Integer),
    Float,
    Bool,
    Char,
    Text,
}

impl Kind {
    /// Of a length, a `usize`.
    pub(super) const LENGTH: Self = Self::Int(Integer { signed: false, bits: 64 });

    pub(super) fn of(ty: &Type) -> Option<Self> {
        if matches!(ty::shape(ty), Shape::Str) {
            return Some(Self::Text);
        }
        match ty::last_segment(ty)?.ident.to_string().as_str() {
            "f32" | "f64" => Some(Self::Float),
            "bool" => Some(Self::Bool),
            "char" => Some(Self::Char),
            "String" => Some(Self::Text),
            name => Integer::of(name).map(Self::Int),
        }
    }

    pub(super) fn is_unsigned(self) -> bool {
        matches!(self, Self::Int(Integer { signed: false, .. }))
    }

    /// Whether the literal is of type `ty`, which is of this kind.
    pub(super) fn takes(self, literal: &Literal<'_>, ty: &str) -> bool {
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

    /// The integers of the type, if the literal is one that it lacks.
    pub(super) fn exceeded(self, literal: &Literal<'_>) -> Option<Integer> {
        match (self, literal.lit) {
            (Self::Int(integer), Lit::Int(int)) if !integer.holds(int, literal.negative) => {
                Some(integer)
            }
            _ => None,
        }
    }

    /// What the author most likely meant, or else any literal of this kind.
    pub(super) fn example(self, literal: &Literal<'_>) -> String {
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

/// An integer type, by its values.
#[derive(Clone, Copy)]
pub(super) struct Integer {
    signed: bool,
    bits: u32,
}

impl Integer {
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

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.signed { "-" } else { "" };
        write!(f, "{sign}{}..={}", self.limit(true), self.limit(false))
    }
}
