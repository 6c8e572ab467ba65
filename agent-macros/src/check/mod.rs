//! The rules that a tool must keep, one function each. All are asked, whatever the others said.

mod bounds;
mod default;
mod function;
mod literal;
mod options;
mod params;

pub(crate) use bounds::outside;

use crate::diag::Diag;
use crate::model::Tool;

/// Reports everything that a model could not call, or that the macro could not expand.
pub(crate) fn check(tool: &Tool, diag: &mut Diag) {
    function::check(tool, diag);
    options::check(tool, diag);
    params::check(&tool.params, diag);
}

/// The longest name that every model provider takes.
const LONGEST_NAME: usize = 64;

/// Whether a model can be given this name, `others` being allowed after the first character.
fn is_name(name: &str, others: &[char]) -> bool {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_' || others.contains(&c);
    starts && name.len() <= LONGEST_NAME && chars.all(goes_on)
}
