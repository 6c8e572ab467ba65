//! Rules about the function and what the model is told of it.

use syn::{GenericParam, Safety, Signature};

use super::is_name;
use crate::diag::Diag;
use crate::model::Tool;

pub(super) fn check(tool: &Tool, diag: &mut Diag) {
    let sig = &tool.item.sig;
    free_function(sig, diag);
    ordinary_function(sig, diag);
    no_generics(sig, diag);
    has_a_body(tool, diag);
    marked_once(tool, diag);
    described(tool, diag);
    callable_by_name(tool, diag);
    hides_no_primitive(tool, diag);
}

/// There is no value to call a method on.
fn free_function(sig: &Signature, diag: &mut Diag) {
    if let Some(receiver) = sig.receiver() {
        diag.on(
            receiver,
            "a tool is a function without `self`: move it out of the `impl`, and let the agent \
             give it what it needs as `#[state] state: &State`",
        );
    }
}

/// A model can call neither of `unsafe`, `extern`, `const` and variadic functions.
fn ordinary_function(sig: &Signature, diag: &mut Diag) {
    if let Safety::Unsafe(word) = &sig.safety {
        diag.on(
            word,
            "a tool cannot be `unsafe`, for a model keeps no promises: make safe what it may call, \
             and remove `unsafe`",
        );
    }
    if let Some(abi) = &sig.abi {
        diag.on(abi, "a tool is called from Rust: remove `extern`");
    }
    if let Some(word) = &sig.constness {
        diag.on(word, "a tool is never called at compile time: remove `const`");
    }
    if let Some(variadic) = &sig.variadic {
        diag.on(variadic.dots, "a tool names all its parameters: write `values: &[f64]`");
    }
}

/// A schema is written for one type. Lifetimes are no part of it.
fn no_generics(sig: &Signature, diag: &mut Diag) {
    for param in &sig.generics.params {
        let (ident, kind) = match param {
            GenericParam::Type(param) => (&param.ident, "type"),
            GenericParam::Const(param) => (&param.ident, "value"),
            GenericParam::Lifetime(_) => continue,
        };
        let message = format!(
            "a tool cannot be generic, for it has one schema: write a concrete {kind} in place of `{ident}`"
        );
        diag.on(ident, message);
    }
}

fn has_a_body(tool: &Tool, diag: &mut Diag) {
    if !tool.item.has_body() {
        diag.on(&tool.item.body, "a tool does something: give the function a body");
    }
}

/// Twice the attribute would be twice the tool.
fn marked_once(tool: &Tool, diag: &mut Diag) {
    for attr in &tool.item.attrs {
        if attr.path().segments.last().is_some_and(|last| last.ident == "tool") {
            diag.on(attr, "this function is a tool already: keep one `#[tool]`");
        }
    }
}

/// The description is all that a model knows of a tool.
fn described(tool: &Tool, diag: &mut Diag) {
    const HOW: &str = "write `#[tool(\"what it does\")]`, or a doc comment above the function";
    match &tool.description {
        None => {
            let message = format!("the model must be told what this tool does: {HOW}");
            diag.on(&tool.item.sig.ident, message);
        }
        Some(text) if text.value.trim().is_empty() => {
            diag.at(text.span, format!("this description is empty: {HOW}"));
        }
        Some(_) => {}
    }
}

/// A tool's name must suit every model provider.
fn callable_by_name(tool: &Tool, diag: &mut Diag) {
    let name = tool.name();
    if !is_name(&name.value, &['-']) {
        let how = match tool.options.name {
            Some(_) => "write",
            None => "write `#[tool(.., name = \"..\")]` with",
        };
        let message = format!(
            "a model cannot call `{}`: {how} up to 64 ASCII letters, digits, `_` and `-`, the first \
             one a letter or `_`",
            name.value
        );
        diag.at(name.span, message);
    }
}

/// The type that stands for the tool would take the primitive's place in the whole module.
fn hides_no_primitive(tool: &Tool, diag: &mut Diag) {
    const PRIMITIVES: [&str; 17] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8",
        "u16", "u32", "u64", "u128", "usize",
    ];
    let handle = tool.handle();
    if PRIMITIVES.iter().any(|primitive| handle == primitive) {
        diag.on(
            handle,
            format!(
                "a tool is a type as well, and this one would hide the primitive `{handle}`: write \
                 `#[tool(.., handle = Name)]`"
            ),
        );
    }
}
