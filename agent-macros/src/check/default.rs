//! Rules about defaults. Literals are judged here; what is wrong with any other expression the
//! compiler says, at the expression.

use super::literal::{Kind, Literal};
use crate::diag::Diag;
use crate::model::Param;
use crate::parse::ty;

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
    let (Some(kind), Some(literal)) = (Kind::of(&param.ty), Literal::of(default)) else {
        return;
    };
    let ty = ty::shown(&param.ty);
    if !kind.takes(&literal, &ty) {
        let example = kind.example(&literal);
        let message =
            format!("this default is no `{ty}`: write one, such as `default = {example}`");
        diag.on(default, message);
    } else if let Some(integer) = kind.exceeded(&literal) {
        diag.on(default, format!("this default is outside `{ty}`: write one of {integer}"));
    }
}
