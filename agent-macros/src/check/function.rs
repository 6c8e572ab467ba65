//! Rules about the function and what the model is told of it.

use syn::{GenericParam, ReturnType, Safety, Signature, Type};

use super::is_name;
use crate::diag::Diag;
use crate::model::Tool;
use crate::parse::item::Item;
use crate::parse::ty;

pub(super) fn check(tool: &Tool, diag: &mut Diag) {
    let sig = &tool.item.sig;
    free_function(&tool.item, diag);
    ordinary_function(sig, diag);
    no_generics(sig, diag);
    returns(sig, diag);
    has_a_body(tool, diag);
    described(tool, diag);
    callable_by_name(tool, diag);
    hides_no_primitive(tool, diag);
}

/// There is no value to call a method on, nor a type to call an associated function of.
fn free_function(item: &Item, diag: &mut Diag) {
    const HOW: &str = "move it out of the `impl`, and let the agent give it what it needs as `#[state] state: &State`";
    if let Some(receiver) = item.sig.receiver() {
        diag.on(receiver, format!("a tool is a function without `self`: {HOW}"));
    } else if let Some(word) = item.find_self_type() {
        diag.on(word, format!("a tool is a function that knows no `Self`: {HOW}"));
    }
}

/// A model can call neither of `unsafe`, `extern`, `const` and variadic functions.
fn ordinary_function(sig: &Signature, diag: &mut Diag) {
    if let Some(variadic) = &sig.variadic {
        // Such a function cannot but be `unsafe` and `extern`, too.
        return diag.on(variadic.dots, "a tool names all its parameters: write `values: &[f64]`");
    }
    if let Safety::Unsafe(word) = &sig.safety {
        diag.on(word, "a model keeps no promises: check what must hold inside the function, and remove `unsafe`");
    }
    if let Some(abi) = &sig.abi {
        diag.on(abi, "a tool is called from Rust: remove `extern`");
    }
    if let Some(word) = &sig.constness {
        diag.on(word, "a tool is never called at compile time: remove `const`");
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

/// What the function returns is the answer to the model.
fn returns(sig: &Signature, diag: &mut Diag) {
    if let ReturnType::Type(_, ty) = &sig.output
        && let Type::Never(never) = ty::bare(ty)
    {
        diag.on(never, "the model waits for what a tool returns: write a type that has values");
    }
}

fn has_a_body(tool: &Tool, diag: &mut Diag) {
    if !tool.item.has_body() {
        diag.on(&tool.item.body, "a tool does something: give the function a body");
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
