//! The documentation of the attribute has every option, and an example of each.

use std::collections::BTreeSet;

use crate::parse::arg::ArgOptions;
use crate::parse::list::Options;
use crate::parse::options::ToolOptions;

const DOCUMENTATION: &str = include_str!("tool.md");

/// The options in the table, in its order, of `#[tool]` or `#[arg]`.
fn documented(attribute: &str) -> Vec<&'static str> {
    let rows = DOCUMENTATION.lines().filter_map(|line| line.strip_prefix("| `"));
    let of_attribute = rows.filter(|row| row.contains(&format!("` | `{attribute}` |")));
    let names = of_attribute.filter_map(|row| row.split(['`', ' ', '(']).next());
    names.filter(|name| !name.starts_with('"')).collect()
}

/// The options in the code.
fn known<O: Options>() -> Vec<&'static str> {
    O::TABLE.iter().map(|(name, _)| *name).collect()
}

#[test]
fn the_table_has_every_option_in_the_order_of_the_code() {
    assert_eq!(documented("#[tool]"), known::<ToolOptions>());
    assert_eq!(documented("#[arg]"), known::<ArgOptions>());
}

#[test]
fn every_option_is_in_an_example() {
    let examples: String = DOCUMENTATION.split("```").skip(1).step_by(2).collect();
    let words: BTreeSet<&str> =
        examples.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    for option in known::<ToolOptions>().into_iter().chain(known::<ArgOptions>()) {
        assert!(words.contains(option), "{option} is in no example");
    }
}
