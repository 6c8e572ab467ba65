//! `range` and `length`: in the schema, and held to before the call.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU8;

use agent_core::{Tool, Toolbox, tool, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{call, doubled, problems, properties};

const MOST: u16 = 1024;

#[tool("Take numbers.", register = false)]
fn numbers(
    #[arg(range = 1..)] from: i8,
    #[arg(range = 1..=MOST)] port: u16,
    #[arg(range = ..10)] digit: Option<u64>,
    #[arg(range = 2..=4)] players: NonZeroU8,
    #[arg(range = -1.5..=1.5)] angle: f64,
    #[arg(range = 0.1..1.0)] share: f32,
) -> String {
    format!("{from} {port} {digit:?} {players} {angle} {share}")
}

#[test]
fn range_is_in_the_schema() {
    let properties = properties(&Tool::of::<numbers>());
    let expected = json!({
        "from": {"type": "integer", "minimum": 1, "maximum": 127},
        "port": {"type": "integer", "minimum": 1, "maximum": 1024},
        "digit": {"type": "integer", "minimum": 0, "maximum": 9},
        "players": {"type": "integer", "minimum": 2, "maximum": 4},
        "angle": {"type": "number", "minimum": -1.5, "maximum": 1.5},
        "share": {"type": "number", "minimum": 0.1, "exclusiveMaximum": 1.0},
    });
    assert_eq!(properties, expected);
}

#[tokio::test]
async fn range_is_held_to_at_its_ends() {
    let tool = Tool::of::<numbers>();
    for within in [
        json!({"from": 1, "port": 1, "digit": 0, "players": 2, "angle": -1.5, "share": 0.1}),
        json!({"from": "127", "port": 1024.0, "digit": 9, "players": 4, "angle": "1.5", "share": 0.99}),
        json!({"from": 5, "port": 80, "digit": null, "players": 3, "angle": 0, "share": 0.5}),
    ] {
        let answer = call(tool.clone(), within).await;
        assert!(!answer.is_error, "{}", answer.content);
    }
    let below =
        json!({"from": 0, "port": 0, "digit": -1, "players": "1", "angle": -1.6, "share": 0.09});
    let expected = [
        "`from`: expected an integer from 1 to 127, got 0",
        "`port`: expected an integer from 1 to 1024, got 0",
        "`digit`: expected an integer from 0 to 9, got -1",
        "`players`: expected an integer from 2 to 4, got \"1\"",
        "`angle`: expected a number from -1.5 to 1.5, got -1.6",
        "`share`: expected a number of at least 0.1 and below 1, got 0.09",
    ];
    assert_eq!(problems(tool.clone(), below).await, expected);
    let above =
        json!({"from": 128, "port": 1025, "digit": 10, "players": 5, "angle": "2", "share": 1});
    assert_eq!(problems(tool, above).await.len(), 6);
}

#[tool("Take several.", register = false)]
fn several(
    #[arg(length = 2..=3)] name: &str,
    #[arg(length = 1..)] note: Option<String>,
    #[arg(length = ..3)] items: &[u8],
    #[arg(length = 1..=1)] words: Vec<String>,
    #[arg(length = ..=2)] labels: BTreeMap<String, u8>,
    #[arg(length = 1.., default = HashMap::from([("a".to_owned(), 1)]))] more: HashMap<String, u8>,
) -> String {
    format!("{name} {note:?} {items:?} {words:?} {labels:?} {more:?}")
}

#[test]
fn length_is_in_the_schema_by_the_type() {
    let properties = properties(&Tool::of::<several>());
    let integer = json!({"type": "integer", "minimum": 0, "maximum": 255});
    let expected = json!({
        "name": {"type": "string", "minLength": 2, "maxLength": 3},
        "note": {"type": "string", "minLength": 1},
        "items": {"type": "array", "items": integer, "maxItems": 2},
        "words": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 1},
        "labels": {"type": "object", "additionalProperties": integer, "maxProperties": 2},
        "more": {"type": "object", "additionalProperties": integer, "minProperties": 1, "default": {"a": 1}},
    });
    assert_eq!(properties, expected);
}

#[tokio::test]
async fn length_is_held_to_and_counts_characters_items_and_entries() {
    let tool = Tool::of::<several>();
    let within =
        json!({"name": "日本語", "note": "é", "items": [1, 2], "words": ["a"], "labels": {}});
    let answer = call(tool.clone(), within).await;
    assert!(!answer.is_error, "{}", answer.content);
    let outside = json!({
        "name": "日", "note": "", "items": "[1,2,3]", "words": [], "labels": {"a": 1, "b": 2, "c": 3}, "more": {},
    });
    let expected = [
        "`name`: expected text of 2 to 3 characters, got 1: \"日\"",
        "`note`: expected text of at least 1 character, got 0: \"\"",
        "`items`: expected a list of at most 2 items, got 3: [1,2,3]",
        "`words`: expected a list of 1 item, got 0: []",
        "`labels`: expected an object of at most 2 entries, got 3: {\"a\":1,\"b\":2,\"c\":3}",
        "`more`: expected an object of at least 1 entry, got 0: {}",
    ];
    assert_eq!(problems(tool, outside).await, expected);
}

/// The same bounds, said where a type is declared.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read through Debug")]
struct Order {
    #[schemars(length(min = 2, max = 3))]
    code: String,
    #[schemars(range(min = 1, max = 9))]
    count: u8,
    #[schemars(range(min = 0.5))]
    price: f64,
    #[schemars(length(max = 1), inner(length(min = 2)))]
    notes: Vec<String>,
    #[schemars(regex(pattern = "^[a-z]+$"))]
    coupon: Option<String>,
}

#[tool("Take an order.", register = false)]
fn take(order: Order) -> String {
    format!("{order:?}")
}

#[tokio::test]
async fn range_and_length_of_a_field_are_held_to_and_worded_alike() {
    let tool = Tool::of::<take>();
    let right = json!({"code": "abc", "count": 9, "price": 0.5, "notes": ["ok"], "coupon": "A"});
    assert!(!call(tool.clone(), json!({"order": right})).await.is_error);
    let wrong = [
        ("code", json!("a"), "`order.code`: expected text of 2 to 3 characters, got 1: \"a\""),
        ("count", json!(10), "`order.count`: expected an integer from 1 to 9, got 10"),
        ("price", json!(0.4), "`order.price`: expected a number of at least 0.5, got 0.4"),
        (
            "notes",
            json!(["ab", "cd"]),
            "`order.notes`: expected a list of at most 1 item, got 2: [\"ab\",\"cd\"]",
        ),
        (
            "notes",
            json!(["a"]),
            "`order.notes[0]`: expected text of at least 2 characters, got 1: \"a\"",
        ),
    ];
    for (field, value, expected) in wrong {
        let mut order = right.clone();
        order[field] = value;
        assert_eq!(problems(tool.clone(), json!({"order": order})).await, [expected]);
    }
}

#[tool("Take a default that only running tells.", register = false)]
fn late_default(#[arg(range = 1..=9, default = doubled(5))] number: u32) -> u32 {
    number
}

#[tool("Take a long default.", register = false)]
fn late_length(#[arg(length = ..=2, default = "abc".to_owned())] text: String) -> String {
    text
}

#[tool("Take a default that is right.", register = false)]
fn right_default(#[arg(range = ..=0.7, default = 7.0 / 10.0)] share: f32) -> f32 {
    share
}

#[test]
fn range_and_length_hold_a_computed_default_when_the_toolbox_is_built() {
    let error = Toolbox::new(tools![late_default]).unwrap_err().to_string();
    let expected = "the default of `number` in the tool `late_default` is 10, which is not an integer from 1 to 9; \
                    change the default or the bounds";
    assert!(error.contains(expected), "{error}");
    let error = Toolbox::new(tools![late_length]).unwrap_err().to_string();
    assert!(error.contains("`text` in the tool `late_length` is \"abc\""), "{error}");
    assert!(error.contains("text of at most 2 characters"), "{error}");
    assert!(Toolbox::new(tools![right_default]).is_ok());
}
