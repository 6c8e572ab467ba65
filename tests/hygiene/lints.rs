//! One tool of every shape, under more lints than anyone keeps.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZero;
use std::sync::Arc;

use agent_core::{ToolContext, ToolError, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What the tools share.
#[derive(Debug, Default)]
pub struct Library {
    /// The titles in it.
    pub titles: Vec<String>,
}

/// A way to order titles.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub enum Order {
    /// By name.
    Name,
    /// By age.
    Age,
}

/// A part of a list.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// The first entry.
    pub from: u32,
    /// Entries that belong to it.
    pub titles: Vec<String>,
}

#[tool("Do nothing at all; see [0] and <nothing>.")]
pub fn nothing() {}

#[tool(
    "Count the titles.",
    read_only,
    idempotent,
    tags("library"),
    timeout = "1s",
    max_output = 100
)]
#[must_use]
pub fn count_titles(#[state] library: &Library) -> usize {
    library.titles.len()
}

/// Count the titles, in an `async` function.
///
/// # Errors
///
/// Never.
#[tool(destructive, open_world, handle = CountLater)]
pub async fn count_later(
    #[state] library: Arc<Library>,
    #[context] cx: &ToolContext,
    /// How many to add.
    #[arg(default = 1)]
    more: usize,
) -> Result<usize, ToolError> {
    tokio::task::yield_now().await;
    let _ = cx;
    Ok(library.titles.len() + more)
}

/// Take everything by reference.
#[tool(inline)]
#[must_use]
pub fn borrow<'a>(
    text: &'a str,
    maybe: Option<&str>,
    words: &[String],
    lent: &[&str],
    cow: Cow<'_, str>,
    #[arg(default = "en")] language: &str,
    #[arg(default = ["a".to_owned()])] more: &[String],
) -> &'a str {
    let _ = (maybe, words, lent, cow, language, more);
    text
}

/// The most that [`bound`] takes.
pub const MOST: u16 = 9;
/// How many it takes by itself.
pub const FEW: u16 = 2;

/// Take what is bounded.
#[tool(destructive, idempotent, needs_approval)]
#[must_use]
pub fn bound(
    #[arg(range = 1..=MOST, default = FEW)] constant: u16,
    #[arg(range = -1.0..1.0, default = 0.5)] literal: f32,
    #[arg(range = ..NonZero::<u8>::MAX.get())] option: Option<NonZero<u8>>,
    #[arg(length = 1..=40, default = "en")] text: String,
    #[arg(length = 1..=MOST as usize, default = ["a", "b"])] lent: &[&str],
    #[arg(length = ..9)] map: BTreeMap<String, u8>,
    #[arg("The key.", secret, length = 8..)] key: &str,
) -> String {
    format!("{constant} {literal} {option:?} {text} {lent:?} {map:?} {}", key.len())
}

/// Take everything by value.
///
/// # Errors
///
/// When it cannot be told.
#[tool(name = "own-all", register = false)]
pub fn own(
    order: Order,
    page: Page,
    prices: BTreeMap<String, f64>,
    #[arg("A flag.", rename = "loud", default = true)] r#type: bool,
    #[arg(default = Order::Name)] second: Order,
    mut rest: Vec<(i8, char)>,
) -> Result<Page, std::fmt::Error> {
    rest.clear();
    let mut told = String::new();
    write!(told, "{order:?} {prices:?} {type} {second:?} {rest:?}")?;
    Ok(Page { from: page.from, titles: vec![told] })
}

#[tokio::test]
async fn every_shape_can_be_called() {
    let called = super::call(agent_core::Tool::of::<nothing>(), json!({})).await;
    assert_eq!(called.content, "ok");
    let called = super::call(agent_core::Tool::of::<count_titles>(), json!({})).await;
    assert_eq!(called.content, "0");
    let called = super::call(agent_core::Tool::of::<CountLater>(), json!({"more": 2})).await;
    assert_eq!(called.content, "2");
    let borrowed = json!({"text": "t", "words": ["a"], "lent": ["b"], "cow": "c"});
    let called = super::call(agent_core::Tool::of::<borrow>(), borrowed).await;
    assert_eq!(called.content, "t");
    let bounded = json!({"map": {}, "key": "12345678"});
    let called = super::call(agent_core::Tool::of::<bound>(), bounded).await;
    assert_eq!(called.content, r#"2 0.5 None en ["a", "b"] {} 8"#);
    let owned = json!({
        "order": "Age", "page": {"from": 1, "titles": []}, "prices": {"a": 1}, "loud": false, "rest": [[1, "x"]],
    });
    let called = super::call(agent_core::Tool::of::<own>(), owned).await;
    assert_eq!(called.content, r#"{"from":1,"titles":["Age {\"a\": 1.0} false Name []"]}"#);
}
