use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU16;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Shape, ShapeTable};
use crate::tool;

#[expect(dead_code, reason = "read for its schema")]
/// A filter on one field.
#[derive(Deserialize, JsonSchema)]
struct Filter {
    /// Which field.
    field: String,
    op: Op,
    #[serde(default)]
    weight: f32,
    note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
enum Op {
    Eq,
    Lt,
}

/// How to sort.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    /// Smallest first.
    Up,
    /// Largest first.
    Down,
}

#[expect(dead_code, reason = "read for its schema")]
#[derive(Deserialize, JsonSchema)]
struct Node {
    name: String,
    children: Vec<Node>,
}

#[expect(dead_code, reason = "read for its schema")]
#[derive(Deserialize, JsonSchema)]
struct A {
    b: Option<Box<B>>,
}

#[expect(dead_code, reason = "read for its schema")]
#[derive(Deserialize, JsonSchema)]
struct B {
    a: A,
}

#[derive(Deserialize, JsonSchema)]
struct Empty {}

#[expect(dead_code, reason = "read for its schema")]
#[derive(Deserialize, JsonSchema)]
enum Target {
    Url { url: String },
    File { path: String, line: Option<u32> },
}

/// The schema as text; a struct's unused fields are not the point here.
fn schema<T: crate::__private::ToolItem>() -> &'static str {
    T::SPEC.schema().json.get()
}

#[tool("Test.", register = false)]
fn nothing() {}

#[tool("Test.", register = false)]
fn ordered(
    zebra: String,
    #[arg("The second.")] apple: bool,
    mango: Option<f64>,
    #[arg(default = 5)] kiwi: u8,
) {
    let _ = (zebra, apple, mango, kiwi);
}

#[tool("Test.", register = false)]
fn integers(a: u32, b: i64, c: u8, d: i8, e: usize, f: NonZeroU16, g: u64) {
    let _ = (a, b, c, d, e, f, g);
}

#[tool("Test.", register = false)]
fn search(
    /** Which ones. */
    filters: Vec<Filter>,
    first: Filter,
) {
    let _ = (filters, first);
}

#[tool("Test.", register = false)]
fn sort(order: Order, #[arg("The other way.")] then: Option<Order>) {
    let _ = (order, then);
}

#[tool("Test.", register = false)]
fn plant(
    /** Where it starts. */
    root: Node,
    a: A,
) {
    let _ = (root, a);
}

#[tool("Test.", register = false)]
fn maps(text: HashMap<String, String>, any: BTreeMap<String, Value>, none: Empty, value: Value) {
    let _ = (text, any, none, value);
}

#[tool("Test.", register = false)]
fn open(target: Target) {
    let _ = target;
}

#[tool("Test.", register = false)]
fn keywords(
    title: String,
    properties: String,
    format: String,
    items: String,
    default: String,
    r#type: String,
) {
    let _ = (title, properties, format, items, default, r#type);
}

#[test]
fn no_parameters_are_an_object_without_properties() {
    assert_eq!(
        schema::<nothing>(),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
}

#[test]
fn properties_keep_the_order_of_the_parameters_and_optional_ones_are_not_required() {
    let expected = concat!(
        r#"{"type":"object","properties":{"zebra":{"type":"string"},"#,
        r#""apple":{"description":"The second.","type":"boolean"},"mango":{"type":"number"},"#,
        r#""kiwi":{"default":5,"maximum":255,"minimum":0,"type":"integer"}},"#,
        r#""required":["zebra","apple"],"additionalProperties":false}"#
    );
    assert_eq!(schema::<ordered>(), expected);
}

#[test]
fn integers_keep_their_bounds_and_lose_their_formats() {
    let expected = concat!(
        r#"{"type":"object","properties":{"a":{"minimum":0,"type":"integer"},"b":{"type":"integer"},"#,
        r#""c":{"maximum":255,"minimum":0,"type":"integer"},"d":{"maximum":127,"minimum":-128,"type":"integer"},"#,
        r#""e":{"minimum":0,"type":"integer"},"f":{"maximum":65535,"minimum":1,"type":"integer"},"#,
        r#""g":{"minimum":0,"type":"integer"}},"#,
        r#""required":["a","b","c","d","e","f","g"],"additionalProperties":false}"#
    );
    assert_eq!(schema::<integers>(), expected);
}

#[test]
fn structs_are_inlined_and_closed_at_every_depth() {
    let filter = concat!(
        r#""properties":{"field":{"description":"Which field.","type":"string"},"note":{"type":"string"},"#,
        r#""op":{"enum":["Eq","Lt"],"type":"string"},"weight":{"default":0.0,"type":"number"}},"#,
        r#""required":["field","op"],"type":"object""#
    );
    let expected = format!(
        concat!(
            r#"{{"type":"object","properties":{{"filters":{{"description":"Which ones.","items":{{"#,
            r#""additionalProperties":false,"description":"A filter on one field.",{filter}}},"type":"array"}},"#,
            r#""first":{{"additionalProperties":false,"description":"A filter on one field.",{filter}}}}},"#,
            r#""required":["filters","first"],"additionalProperties":false}}"#
        ),
        filter = filter
    );
    assert_eq!(schema::<search>(), expected);
}

#[test]
fn an_enum_of_documented_names_is_one_enum_that_keeps_what_is_said_of_each() {
    let expected = concat!(
        r#"{"type":"object","properties":{"order":{"#,
        r#""description":"How to sort.\n- up: Smallest first.\n- down: Largest first.","#,
        r#""enum":["up","down"],"type":"string"},"#,
        r#""then":{"description":"The other way.\n- up: Smallest first.\n- down: Largest first.","#,
        r#""enum":["up","down"],"type":"string"}},"#,
        r#""required":["order"],"additionalProperties":false}"#
    );
    assert_eq!(schema::<sort>(), expected);
}

#[test]
fn recursive_types_are_defined_once_at_the_root() {
    let expected = concat!(
        r##"{"type":"object","properties":{"root":{"$ref":"#/$defs/Node","description":"Where it starts."},"##,
        r##""a":{"$ref":"#/$defs/A"}},"required":["root","a"],"additionalProperties":false,"$defs":{"##,
        r##""A":{"additionalProperties":false,"properties":{"b":{"additionalProperties":false,"##,
        r##""properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"type":"object"}},"type":"object"},"##,
        r##""Node":{"additionalProperties":false,"properties":{"children":{"items":{"$ref":"#/$defs/Node"},"##,
        r##""type":"array"},"name":{"type":"string"}},"required":["name","children"],"type":"object"}}}"##
    );
    assert_eq!(schema::<plant>(), expected);
}

/// Each holds the one before it twice.
macro_rules! doubling {
    ($first:ident $(, $next:ident)*) => {
        #[expect(dead_code, reason = "read for its schema")]
        #[derive(Deserialize, JsonSchema)]
        struct $first { name_of_some_length: String }
        doubling!(@ $first $(, $next)*);
    };
    (@ $before:ident) => {};
    (@ $before:ident, $first:ident $(, $next:ident)*) => {
        #[expect(dead_code, reason = "read for its schema")]
        #[derive(Deserialize, JsonSchema)]
        struct $first { a: Vec<$before>, b: Vec<$before> }
        doubling!(@ $first $(, $next)*);
    };
}

doubling!(
    T00, T01, T02, T03, T04, T05, T06, T07, T08, T09, T10, T11, T12, T13, T14, T15, T16, T17, T18,
    T19, T20
);

#[tool("Test.", register = false)]
fn doubled(top: T20) {
    let _ = top;
}

#[test]
fn types_that_double_at_each_level_stay_small() {
    assert!(schema::<doubled>().len() < 64 * 1024, "{}", schema::<doubled>().len());
}

#[test]
fn maps_stay_open_and_empty_structs_have_no_properties() {
    let expected = concat!(
        r#"{"type":"object","properties":{"text":{"additionalProperties":{"type":"string"},"type":"object"},"#,
        r#""any":{"additionalProperties":true,"type":"object"},"#,
        r#""none":{"additionalProperties":false,"properties":{},"type":"object"},"value":{}},"#,
        r#""required":["text","any","none","value"],"additionalProperties":false}"#
    );
    assert_eq!(schema::<maps>(), expected);
}

#[test]
fn an_enum_with_data_is_a_union_under_its_parameter() {
    let schema: Value = serde_json::from_str(schema::<open>()).unwrap();
    assert_eq!(schema["type"], "object");
    let arms = schema["properties"]["target"]["oneOf"].as_array().unwrap();
    assert_eq!(arms[1]["properties"]["File"]["properties"]["line"]["type"], "integer");
    assert_eq!(arms[1]["properties"]["File"]["additionalProperties"], false);
}

#[test]
fn parameters_named_like_keywords_keep_their_types() {
    let schema: Value = serde_json::from_str(schema::<keywords>()).unwrap();
    for name in ["title", "properties", "format", "items", "default", "type"] {
        assert_eq!(schema["properties"][name]["type"], "string", "{name}");
    }
}

#[tool("Test.", register = false)]
fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[test]
fn the_schema_of_two_numbers_is_as_short_as_can_be() {
    let expected = concat!(
        r#"{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"#,
        r#""required":["a","b"],"additionalProperties":false}"#
    );
    assert_eq!(schema::<add>(), expected);
}

#[test]
fn bounds_are_worded_by_what_they_leave_open() {
    let table = ShapeTable::default();
    for (schema, words) in [
        (json!({"type": "integer"}), "an integer"),
        (json!({"type": "integer", "exclusiveMinimum": 0}), "an integer of at least 1"),
        (json!({"type": "integer", "maximum": 9, "format": "int8"}), "an integer from -128 to 9"),
        (json!({"type": "number", "format": "float"}), "a number"),
        (json!({"type": "number", "minimum": 0}), "a number of at least 0"),
        (json!({"type": "number", "minimum": 0, "maximum": 0.5}), "a number from 0 to 0.5"),
        (
            json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}),
            "a number above 0 and below 1",
        ),
        (json!({"type": "string", "minLength": 1}), "text of at least 1 character"),
        (json!({"type": "array", "maxItems": 2}), "a list of at most 2 items"),
        (
            json!({"type": "object", "minProperties": 2, "maxProperties": 2}),
            "an object of 2 entries",
        ),
    ] {
        let said = match table.shape(&schema) {
            Shape::Integer(range) => range.to_string(),
            Shape::Number(range) => range.to_string(),
            Shape::Text(lengths) | Shape::List(_, lengths) => lengths.to_string(),
            Shape::Object(fields) => fields.lengths.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(said, words, "{schema}");
    }
}
