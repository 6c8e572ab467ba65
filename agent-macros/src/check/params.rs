//! Rules about the parameters.

use std::collections::HashMap;

use syn::{Meta, Pat, Type};

use super::{bounds, default, is_name};
use crate::diag::Diag;
use crate::model::{Param, Role};
use crate::parse::ty::{self, Shape};

pub(super) fn check(params: &[Param], diag: &mut Diag) {
    for param in params {
        one_source(param, diag);
        match param.role() {
            Role::Argument => check_argument(param, diag),
            Role::State => state_is_shared(param, diag),
            Role::Context => context_is_lent(param, diag),
        }
    }
    names_differ(params, diag);
    one_context(params, diag);
}

fn check_argument(param: &Param, diag: &mut Diag) {
    has_a_name(param, diag);
    if !param.attrs.options.names_a_source {
        readable_from_json(param, diag);
    }
    described_once(param, diag);
    default::check(param, diag);
    bounds::check(param, diag);
}

/// A parameter comes from the model, the state or the call, and only the model's have options.
fn one_source(param: &Param, diag: &mut Diag) {
    let mut sources = param.attrs.sources.iter().map(|(_, attr)| attr);
    let Some(source) = sources.next() else { return };
    if !matches!(source.meta, Meta::Path(_)) {
        let path = ty::shown(source.path());
        diag.on(source, format!("`#[{path}]` has no options: write it alone"));
    }
    for other in sources {
        diag.on(other, "a parameter has one source: keep one of these attributes");
    }
    for arg in &param.attrs.args {
        diag.on(arg, "the model never sees this parameter: remove `#[arg]`");
    }
}

/// The model gives arguments by name.
fn has_a_name(param: &Param, diag: &mut Diag) {
    const NEEDED: &str = "a tool parameter needs a name the model can use";
    let ty = ty::shown(&param.ty);
    match (&param.pat, param.ident()) {
        (Pat::Wild(pat), _) => diag.on(pat, format!("{NEEDED}: write `name: {ty}`")),
        (pat, None) => {
            diag.on(pat, format!("{NEEDED}: write `name: {ty}` and take it apart in the body"));
        }
        _ => {}
    }
    if let Some(name) = param.name().filter(|name| !is_name(&name.value, &[])) {
        let how = match param.attrs.options.rename {
            Some(_) => "write",
            None => "write `#[arg(rename = \"..\")]` with",
        };
        let message = format!(
            "{NEEDED}: {how} up to 64 ASCII letters, digits and `_`, the first one a letter or `_`"
        );
        diag.at(name.span, message);
    }
}

/// An argument is made from JSON, which can lend a text or a list and nothing else.
fn readable_from_json(param: &Param, diag: &mut Diag) {
    let ty = &param.ty;
    if let Some(word) = ty::find_word(ty, "impl") {
        diag.on(
            word,
            "`impl` stands for any type, and a tool has one schema: write a concrete type",
        );
    } else if ty::is_never_json(ty) {
        let shown = ty::shown(ty);
        diag.on(ty, format!("`{shown}` cannot be read from JSON: write a type that holds data"));
    } else if ty::is_mutable_reference(ty) {
        let (name, owned) = (shown_name(param), ty::shown(ty::owned(ty)));
        diag.on(ty, format!("a tool owns its arguments: write `mut {name}: {owned}`"));
    } else if let Some(word) = ty::find_word(ty, "mut") {
        diag.on(word, "a tool owns its arguments: write the type without `&mut`");
    } else if let Some(slice) = ty::find_nested_slice(ty) {
        diag.on(slice, "a slice is lent as a whole parameter only: write a `Vec` in here");
    } else if let Some(lifetime) = ty::find_static_reference(ty) {
        diag.on(lifetime, "arguments live no longer than their call: remove `'static`");
    } else if let Shape::Reference(reference) = ty::shape(ty) {
        diag.on(ty, instead_of_reference(&shown_name(param), &reference.elem));
    }
}

fn instead_of_reference(name: &str, elem: &Type) -> String {
    let lent = ty::shown(elem);
    if ty::is_named(elem, "ToolContext") {
        return format!("the context of a call is asked for: write `#[context] {name}: &{lent}`");
    }
    let instead = match ty::argument_of(elem, "Vec") {
        Some(item) => format!("&[{}]", ty::shown(item)),
        None if ty::is_named(elem, "String") => "&str".to_owned(),
        None if ty::is_named(elem, "Path") => "PathBuf".to_owned(),
        None => lent.clone(),
    };
    format!(
        "arguments are lent as `&str` or `&[T]`, not as `&{lent}`: write `{name}: {instead}`, or \
         `#[state] {name}: &{lent}` if the agent provides it"
    )
}

fn shown_name(param: &Param) -> String {
    param.ident().map_or_else(|| "name".to_owned(), ToString::to_string)
}

/// Two texts for one parameter: the model gets one, and the other would be lost in silence.
fn described_once(param: &Param, diag: &mut Diag) {
    if let (Some(text), Some(_)) = (&param.attrs.options.text, param.attrs.docs.first()) {
        diag.on(text, "this parameter has a doc comment as well: keep one of the two descriptions");
    }
    if let Some(text) = param.description.as_ref().filter(|text| text.value.trim().is_empty()) {
        diag.at(text.span, "this description is empty: say what the parameter is, or remove it");
    }
}

/// All calls share it, on whatever thread they run.
fn state_is_shared(param: &Param, diag: &mut Diag) {
    let name = shown_name(param);
    let owned = ty::shown(ty::owned(&param.ty));
    if let Some(state) = ty::find_unsized_state(&param.ty) {
        diag.on(
            state,
            "the agent finds state by its type: write a type of your own that holds this",
        );
    } else if let Some(word) = ty::find_word(&param.ty, "mut") {
        diag.on(
            word,
            format!(
                "calls share the state: write `{name}: &{owned}`, and a `Mutex` for what changes"
            ),
        );
    } else if let Some(lifetime) = ty::find_static_reference(&param.ty) {
        diag.on(lifetime, "the state is lent for the call: remove `'static`");
    } else if !matches!(ty::bare(&param.ty), Type::Reference(_) | Type::Path(_)) {
        diag.on(
            &param.ty,
            format!("the state is shared: write `{name}: &{owned}` or `{name}: Arc<{owned}>`"),
        );
    }
}

/// It belongs to the call.
fn context_is_lent(param: &Param, diag: &mut Diag) {
    let lent = match ty::bare(&param.ty) {
        Type::Reference(reference) => reference.mutability.is_none(),
        _ => false,
    };
    if !lent || ty::find_static_reference(&param.ty).is_some() {
        let name = shown_name(param);
        let within = ["Arc", "Rc", "Box", "Option"];
        let within = within.iter().find_map(|name| ty::argument_of(&param.ty, name));
        let context = ty::shown(ty::owned(within.unwrap_or(&param.ty)));
        diag.on(&param.ty, format!("the context is lent for the call: write `{name}: &{context}`"));
    }
}

/// In one object, a name has one value.
fn names_differ(params: &[Param], diag: &mut Diag) {
    let mut seen = HashMap::new();
    for param in params.iter().filter(|param| param.role() == Role::Argument) {
        let Some(name) = param.name() else { continue };
        let earlier = seen.insert(name.value.clone(), param.ident());
        // Two that are written alike are the compiler's to refuse.
        if earlier.is_some_and(|earlier| earlier != param.ident()) {
            let message =
                format!("another parameter is called `{}` already: rename one", name.value);
            diag.at(name.span, message);
        }
    }
}

fn one_context(params: &[Param], diag: &mut Diag) {
    let contexts = params.iter().flat_map(|param| &param.attrs.sources);
    for (_, attr) in contexts.filter(|(role, _)| *role == Role::Context).skip(1) {
        diag.on(attr, "a call has one context, and another parameter has it: remove this one");
    }
}
