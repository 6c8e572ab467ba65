//! Rules about `range` and `length`. As with defaults, literals are judged here. Constants are judged
//! where they are evaluated, and what only the running program knows when the toolbox is built.

use syn::{Expr, ExprRange, Lit, RangeLimits, Type};

use super::literal::{Kind, Literal, Number};
use crate::diag::Diag;
use crate::model::{Measure, Param};
use crate::parse::ty;

pub(super) fn check(param: &Param, diag: &mut Diag) {
    let ty = ty::argument_of(&param.ty, "Option").unwrap_or(&param.ty);
    for (measure, given) in param.bounds() {
        let range = &given.value;
        if let Some(advice) = misfit(measure, ty) {
            diag.on(&given.key, advice);
        } else if ends_are_numbers(measure, ty, range, diag)
            && holds_something(measure, ty, range, diag)
        {
            holds_the_default(measure, param, range, diag);
        }
    }
}

/// What to write for a type that has no such measure.
fn misfit(measure: Measure, ty: &Type) -> Option<&'static str> {
    match (measure, Family::of(ty)?) {
        (Measure::Size, Family::Number) | (Measure::Length, Family::Text | Family::Several) => None,
        (Measure::Size, Family::Text) => {
            Some("`range` is for numbers: write `length = ..` for a text")
        }
        (Measure::Size, Family::Several) => {
            Some("`range` is for numbers: write `length = ..` for a list or a map")
        }
        (Measure::Size, Family::Fixed) => Some("`range` is for numbers: remove it"),
        (Measure::Length, Family::Number) => {
            Some("`length` is for texts, lists and maps: write `range = ..` for a number")
        }
        (Measure::Length, Family::Fixed) => {
            Some("`length` is for texts, lists and maps, which differ in length: remove it")
        }
    }
}

/// The well-known types, by their measure.
enum Family {
    Number,
    Text,
    Several,
    /// What has neither a size nor a length, or always the same.
    Fixed,
}

impl Family {
    fn of(ty: &Type) -> Option<Self> {
        const SEVERAL: [&str; 8] = [
            "Vec",
            "VecDeque",
            "HashSet",
            "BTreeSet",
            "LinkedList",
            "BinaryHeap",
            "HashMap",
            "BTreeMap",
        ];
        match Kind::of(ty) {
            Some(Kind::Int(_) | Kind::Float) => return Some(Self::Number),
            Some(Kind::Text) => return Some(Self::Text),
            Some(Kind::Bool | Kind::Char) => return Some(Self::Fixed),
            None => {}
        }
        let fixed = matches!(ty::bare(ty), Type::Array(_) | Type::Tuple(_));
        let several = matches!(ty::shape(ty), ty::Shape::Slice(_))
            || SEVERAL.iter().any(|name| ty::is_named(ty, name));
        if fixed { Some(Self::Fixed) } else { several.then_some(Self::Several) }
    }
}

/// The ends are of the type that they bound; of a length, whole numbers.
fn ends_are_numbers(measure: Measure, ty: &Type, range: &ExprRange, diag: &mut Diag) -> bool {
    let (kind, ty) = match measure {
        Measure::Size => (Kind::of(ty), ty::shown(ty)),
        Measure::Length => (Some(Kind::LENGTH), "usize".to_owned()),
    };
    let Some(kind) = kind else { return true };
    let mut right = true;
    for end in [range.start.as_deref(), range.end.as_deref()].into_iter().flatten() {
        let Some(literal) = Literal::of(end) else { continue };
        let (takes, exceeded) = (kind.takes(&literal, &ty), kind.exceeded(&literal));
        let message = match (measure, exceeded) {
            (_, None) if takes => continue,
            (Measure::Length, _) => {
                "a length is a whole number: write one, such as `length = 1..=40`".to_owned()
            }
            (Measure::Size, Some(integer)) if takes => {
                format!("this end of the range is outside `{ty}`: write one of {integer}")
            }
            (Measure::Size, _) => {
                let example = kind.example(&literal);
                format!("this end of the range is no `{ty}`: write one, such as `{example}`")
            }
        };
        diag.on(end, message);
        right = false;
    }
    right
}

/// A range that holds nothing would refuse every call.
fn holds_something(measure: Measure, ty: &Type, range: &ExprRange, diag: &mut Diag) -> bool {
    let unsigned = measure == Measure::Length || Kind::of(ty).is_some_and(Kind::is_unsigned);
    let least = unsigned.then_some(Number::Int(0));
    let start = range.start.as_deref().map_or(least, number);
    let empty = match (start, range.end.as_deref().and_then(number), &range.limits) {
        (Some(start), Some(end), RangeLimits::Closed(_)) => start > end,
        (Some(start), Some(end), RangeLimits::HalfOpen(_)) => start >= end,
        _ => false,
    };
    if empty {
        diag.on(range, "nothing is within this range: write `min..=max`, the smaller number first");
    }
    !empty
}

/// The schema would tell the model of a value that it must not send.
fn holds_the_default(measure: Measure, param: &Param, range: &ExprRange, diag: &mut Diag) {
    let Some(default) = param.default() else { return };
    let size = match measure {
        Measure::Size => number(default),
        Measure::Length => length(default),
    };
    let Some(size) = size.filter(|_| is_of_the_type(default, &param.ty)) else { return };
    let below = range.start.as_deref().and_then(number).is_some_and(|start| size < start);
    let above = range.end.as_deref().and_then(number).is_some_and(|end| match range.limits {
        RangeLimits::Closed(_) => size > end,
        RangeLimits::HalfOpen(_) => size >= end,
    });
    if below || above {
        diag.on(default, outside(measure, range));
    }
}

/// What is wrong with a default that its bounds do not hold.
pub(crate) fn outside(measure: Measure, range: &ExprRange) -> String {
    let range = ty::shown(range);
    match measure {
        Measure::Size => {
            format!("this default is outside the range `{range}`: write one that is within")
        }
        Measure::Length => {
            format!("the length of this default is outside `{range}`: write one that is within")
        }
    }
}

/// A default that is not of its type at all has been reported.
fn is_of_the_type(default: &Expr, ty: &Type) -> bool {
    match (Kind::of(ty), Literal::of(default)) {
        (Some(kind), Some(literal)) => {
            kind.takes(&literal, &ty::shown(ty)) && kind.exceeded(&literal).is_none()
        }
        _ => true,
    }
}

fn number(expr: &Expr) -> Option<Number> {
    Literal::of(expr)?.number()
}

/// The length of what is written out.
fn length(expr: &Expr) -> Option<Number> {
    let length = match expr {
        Expr::Array(array) => array.elems.len(),
        Expr::Reference(reference) => return length(&reference.expr),
        expr => match Literal::of(expr)?.lit {
            Lit::Str(text) => text.value().chars().count(),
            _ => return None,
        },
    };
    i128::try_from(length).ok().map(Number::Int)
}
