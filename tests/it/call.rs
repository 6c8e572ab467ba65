//! The tool call: the decoding table, returns, and what a model is told of a fault.

use std::borrow::Cow;
use std::collections::BTreeMap;

use agent_core::{Agent, ScriptedModel, ToolResult, tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema, Debug)]
#[serde(rename_all = "snake_case")]
enum Order {
    /// Smallest first.
    Ascending,
    Descending,
}

#[derive(Deserialize, Serialize, JsonSchema, Debug, Clone, PartialEq)]
struct Filter {
    field: String,
    op: Op,
    #[serde(default)]
    weight: u32,
    note: Option<String>,
}

#[derive(Deserialize, Serialize, JsonSchema, Debug, Clone, PartialEq)]
enum Op {
    Eq,
    Lt,
}

#[derive(Deserialize, JsonSchema, Debug)]
#[expect(dead_code, reason = "read through Debug")]
enum Target {
    Url { url: String },
    File { path: String, line: Option<u32> },
    Nothing,
}

#[derive(Deserialize, JsonSchema, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "read through Debug")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Deserialize, JsonSchema, Debug)]
#[expect(dead_code, reason = "read through Debug")]
struct Node {
    name: String,
    #[serde(default)]
    children: Vec<Node>,
}

#[tool("Take an integer.", register = false, inline)]
fn take(n: u32) -> u32 {
    n
}

#[tool("Take a small one.", register = false, inline)]
fn small(level: u8) -> u8 {
    level
}

#[tool("Take a big one.", register = false, inline)]
fn big(n: i64) -> i64 {
    n
}

#[tool("Take a number.", register = false, inline)]
fn number(x: f64) -> f64 {
    x
}

#[tool("Take a boolean.", register = false, inline)]
fn flag(on: bool) -> bool {
    on
}

#[tool("Take text.", register = false, inline)]
fn text(q: &str) -> String {
    q.to_uppercase()
}

#[tool("Take text, wherever it lives.", register = false, inline)]
fn cow(q: Cow<'_, str>) -> String {
    q.into_owned()
}

#[tool("Take a list.", register = false, inline)]
fn ids(ids: Vec<u32>) -> String {
    format!("{ids:?}")
}

#[tool("Take a slice.", register = false)]
async fn slice(xs: &[String]) -> usize {
    xs.len()
}

#[tool("Take a map.", register = false, inline)]
fn map(labels: BTreeMap<String, u32>) -> String {
    format!("{labels:?}")
}

#[tool("Take filters.", register = false, inline)]
fn search(filters: Vec<Filter>) -> String {
    format!("{filters:?}")
}

#[tool("Take one of several.", register = false, inline)]
fn open(target: Target) -> String {
    format!("{target:?}")
}

#[tool("Take one of several, by a tag.", register = false, inline)]
fn draw(shape: Shape) -> String {
    format!("{shape:?}")
}

#[tool("Take a tree.", register = false, inline)]
fn plant(root: Node) -> String {
    format!("{root:?}")
}

#[tool("Take optional things.", register = false, inline)]
fn optional(
    keyword: &str,
    limit: Option<u32>,
    #[arg(default = 7)] page: u32,
    order: Option<Order>,
) -> String {
    format!("{keyword} {limit:?} {page} {order:?}")
}

#[tool("Take nothing.", register = false, inline)]
fn now() -> &'static str {
    "noon"
}

#[tool("Take names that are keywords.", register = false, inline)]
fn r#match(r#type: String, r#fn: Option<u8>) -> String {
    format!("{} {:?}", r#type, r#fn)
}

#[tool("Take anything.", register = false, inline)]
fn anything(value: Value) -> Value {
    value
}

/// Calls a tool of this file as a model would.
async fn call(name: &str, arguments: Value) -> ToolResult {
    let tools = tools![
        take, small, big, number, flag, text, cow, ids, slice, map, search, open, draw, plant,
        optional, now, r#match, anything,
    ];
    let agent = Agent::builder().model(ScriptedModel::new([])).tools(tools).build().unwrap();
    agent.call(name, arguments).await
}

async fn gives(name: &str, arguments: Value, expected: &str) {
    let result = call(name, arguments.clone()).await;
    assert_eq!((result.content.as_str(), result.is_error), (expected, false), "{name} {arguments}");
}

async fn refuses(name: &str, arguments: Value, expected: &str) {
    let result = call(name, arguments.clone()).await;
    assert!(
        result.is_error && result.content.starts_with(expected),
        "{name} {arguments}: {}",
        result.content
    );
}

#[tokio::test]
async fn whole_floats_and_digits_are_integers_and_nothing_else_is() {
    for n in [json!(30), json!(30.0), json!("30"), json!("30.0"), json!("3e1")] {
        gives("take", json!({"n": n}), "30").await;
    }
    gives("take", json!({"n": 1e3}), "1000").await;
    for (n, shown) in [
        (json!(30.5), "30.5"),
        (json!(-1), "-1"),
        (json!("abc"), "\"abc\""),
        (json!("NaN"), "\"NaN\""),
        (json!("+5"), "\"+5\""),
        (json!(true), "true"),
        (json!([5]), "[5]"),
    ] {
        let expected = format!(
            "error(invalid_arguments): `n`: expected an integer from 0 to 4294967295, got {shown}; call again with \
             these corrected (parameters: n)"
        );
        refuses("take", json!({"n": n}), &expected).await;
    }
}

#[tokio::test]
async fn integers_are_never_wrapped_or_rounded() {
    refuses(
        "small",
        json!({"level": 300}),
        "error(invalid_arguments): `level`: expected an integer from 0 to 255, got 300",
    )
    .await;
    gives("big", json!({"n": 9007199254740993_i64}), "9007199254740993").await;
    gives("big", json!(r#"{"n": "9007199254740993"}"#), "9007199254740993").await;
    refuses(
        "big",
        json!({"n": 1e19}),
        "error(invalid_arguments): `n`: expected an integer from -9223372036854775808",
    )
    .await;
    refuses("big", json!({"n": 9007199254740994.0}), "error(invalid_arguments): `n`").await;
    refuses("take", json!({"n": u64::MAX}), "error(invalid_arguments): `n`").await;
}

#[tokio::test]
async fn text_for_a_boolean_or_a_number_is_read_only_where_it_is_certain() {
    gives("flag", json!({"on": "true"}), "true").await;
    gives("flag", json!({"on": false}), "false").await;
    refuses(
        "flag",
        json!({"on": "yes"}),
        "error(invalid_arguments): `on`: expected true or false, got \"yes\"",
    )
    .await;
    refuses("flag", json!({"on": 1}), "error(invalid_arguments): `on`").await;
    gives("number", json!({"x": "2.5"}), "2.5").await;
    gives("number", json!({"x": 2}), "2").await;
    refuses(
        "number",
        json!({"x": "inf"}),
        "error(invalid_arguments): `x`: expected a number, got \"inf\"",
    )
    .await;
}

#[tokio::test]
async fn text_is_passed_as_it_is() {
    gives("text", json!({"q": "straße \"x\" \\ \u{1F600}"}), "STRASSE \"X\" \\ \u{1F600}").await;
    gives("text", json!({"q": "{\"q\":1}"}), "{\"Q\":1}").await;
    gives("cow", json!({"q": "5"}), "5").await;
    refuses("text", json!({"q": 5}), "error(invalid_arguments): `q`: expected text, got 5").await;
}

#[tokio::test]
async fn an_encoded_list_or_object_is_decoded_where_one_is_due() {
    gives("ids", json!({"ids": "[1,2]"}), "[1, 2]").await;
    gives("ids", json!({"ids": ["1", 2.0]}), "[1, 2]").await;
    gives("slice", json!({"xs": "[\"a\"]"}), "1").await;
    gives("map", json!({"labels": "{\"a\": \"1\"}"}), "{\"a\": 1}").await;
    gives("search", json!({"filters": "[]"}), "[]").await;
    refuses(
        "ids",
        json!({"ids": "1,2"}),
        "error(invalid_arguments): `ids`: expected a list, each an integer",
    )
    .await;
    refuses(
        "ids",
        json!({"ids": [1, "x"]}),
        "error(invalid_arguments): `ids[1]`: expected an integer",
    )
    .await;
    refuses(
        "map",
        json!({"labels": {"a": "x"}}),
        "error(invalid_arguments): `labels.a`: expected an integer",
    )
    .await;
}

#[tokio::test]
async fn null_is_read_as_absent_where_a_value_may_be() {
    gives("optional", json!({"keyword": "x"}), "x None 7 None").await;
    let nulls = json!({"keyword": "x", "limit": null, "page": null, "order": null});
    gives("optional", nulls, "x None 7 None").await;
    let all = json!({"keyword": "x", "limit": "3", "page": 2, "order": "ascending"});
    gives("optional", all, "x Some(3) 2 Some(Ascending)").await;
    refuses("text", json!({"q": null}), "error(invalid_arguments): `q`: expected text, got null")
        .await;
    let nested = json!({"filters": [{"field": "f", "op": "Eq", "weight": null, "note": null}]});
    gives("search", nested, r#"[Filter { field: "f", op: Eq, weight: 0, note: None }]"#).await;
}

#[tokio::test]
async fn an_optional_parameter_may_go_by_any_name_of_option() {
    type Maybe<T> = Option<T>;
    #[tool("Take a thing that may be absent.", register = false, inline)]
    fn maybe(n: Maybe<u8>) -> String {
        format!("{n:?}")
    }
    let agent =
        Agent::builder().model(ScriptedModel::new([])).tools(tools![maybe]).build().unwrap();
    assert_eq!(agent.call("maybe", json!({})).await.content, "None");
}

#[tokio::test]
async fn every_problem_of_a_call_is_reported_at_once_one_a_parameter() {
    let arguments = json!({"limit": "abc", "page": -1, "order": "up", "max": 1});
    let result = call("optional", arguments).await;
    let expected = "error(invalid_arguments): `max`: unknown parameter; `keyword`: missing, expected text; `limit`: \
                    expected an integer from 0 to 4294967295, got \"abc\"; `page`: expected an integer from 0 to \
                    4294967295, got -1; `order`: expected one of \"descending\", \"ascending\", got \"up\"; call again \
                    with these corrected (parameters: keyword, limit, page, order)";
    assert_eq!(result.content, expected);
}

#[tokio::test]
async fn an_unknown_parameter_is_refused_with_what_was_meant() {
    refuses(
        "optional",
        json!({"keyword": "x", "limits": 1}),
        "error(invalid_arguments): `limits`: unknown parameter, did you mean `limit`?",
    )
    .await;
    refuses(
        "now",
        json!({"zone": "UTC"}),
        "error(invalid_arguments): `zone`: unknown parameter; call again without arguments",
    )
    .await;
    refuses(
        "search",
        json!({"filters": [{"field": "f", "op": "Eq", "wieght": 1}]}),
        "error(invalid_arguments): `filters[0].wieght`: unknown field, did you mean `weight`?",
    )
    .await;
}

#[tokio::test]
async fn an_enum_with_data_is_read_and_its_faults_are_those_of_the_arm_that_was_meant() {
    gives("open", json!({"target": {"Url": {"url": "u"}}}), r#"Url { url: "u" }"#).await;
    gives(
        "open",
        json!({"target": {"File": {"path": "p", "line": "3"}}}),
        r#"File { path: "p", line: Some(3) }"#,
    )
    .await;
    gives("open", json!({"target": "Nothing"}), "Nothing").await;
    refuses(
        "open",
        json!({"target": {"File": {"line": 3}}}),
        "error(invalid_arguments): `target.File.path`: missing",
    )
    .await;
    gives("draw", json!({"shape": {"kind": "circle", "radius": "2"}}), "Circle { radius: 2.0 }")
        .await;
    refuses(
        "draw",
        json!({"shape": {"kind": "square", "radius": 2}}),
        "error(invalid_arguments): `shape.radius`: unknown field",
    )
    .await;
    refuses("draw", json!({"shape": {"kind": "blob"}}), "error(invalid_arguments): `shape.kind`: expected one of \"circle\", \"square\", got \"blob\"").await;
    refuses("draw", json!({"shape": 7}), "error(invalid_arguments): `shape`: expected an object with `kind`, `radius` or an object with `kind`, `side`, got 7").await;
}

#[tokio::test]
async fn a_recursive_type_is_read_at_every_depth() {
    gives(
        "plant",
        json!({"root": {"name": "a", "children": "[{\"name\": \"b\"}]"}}),
        r#"Node { name: "a", children: [Node { name: "b", children: [] }] }"#,
    )
    .await;
    refuses(
        "plant",
        json!({"root": {"name": "a", "children": [{"name": 1}]}}),
        "error(invalid_arguments): `root.children[0].name`: expected text, got 1",
    )
    .await;
}

#[tokio::test]
async fn raw_identifiers_go_by_their_plain_names() {
    gives("match", json!({"type": "x", "fn": 1}), "x Some(1)").await;
    refuses("match", json!({}), "error(invalid_arguments): `type`: missing, expected text").await;
}

#[tokio::test]
async fn a_value_of_any_type_is_passed_as_it_is() {
    for value in [json!(null), json!("5"), json!(5.0), json!([1, {"a": "true"}])] {
        gives("anything", json!({"value": value}), &value.to_string()).await;
    }
}

mod returns {
    use std::fmt;

    use super::*;
    use agent_core::ToolError;

    type Fallible<T> = std::result::Result<T, std::io::Error>;

    #[derive(Serialize)]
    struct Point {
        x: i32,
        y: i32,
    }

    #[derive(Serialize)]
    struct Shown;

    impl fmt::Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("shown")
        }
    }

    struct OnlyWords;

    impl fmt::Display for OnlyWords {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("only words")
        }
    }

    macro_rules! tool_returning {
        ($($name:ident: $type:ty = $value:expr;)*) => {
            $(#[tool("Return.", register = false, inline)]
            fn $name() -> $type { $value })*

            async fn call_all() -> Vec<(&'static str, String)> {
                let agent = Agent::builder().model(ScriptedModel::new([])).tools(tools![$($name),*]).build().unwrap();
                vec![$((stringify!($name), agent.call(stringify!($name), Value::Null).await.content)),*]
            }
        };
    }

    tool_returning! {
        unit: () = ();
        words: &'static str = "plain";
        integer: i32 = -3;
        both: Shown = Shown;
        point: Point = Point { x: 1, y: 2 };
        list: Vec<u8> = vec![1, 2];
        absent: Option<u8> = None;
        ok: Result<Point, std::fmt::Error> = Ok(Point { x: 3, y: 4 });
        ok_unit: Result<(), String> = Ok(());
        alias: Fallible<u8> = Err(std::io::Error::other("no disk"));
        text_error: Result<u8, &'static str> = Err("in words");
        string_error: Result<u8, String> = Err("in owned words".into());
        tool_error: Result<u8, ToolError> = Err(ToolError::new("try again"));
        boxed: Result<u8, Box<dyn std::error::Error>> = Err("boxed".into());
        boxed_send: Result<u8, Box<dyn std::error::Error + Send + Sync>> = Err("boxed to go".into());
        shown_error: Result<u8, OnlyWords> = Err(OnlyWords);
        anyhow_error: anyhow::Result<u8> = Err(anyhow::anyhow!("the root").context("the top"));
        opaque: impl fmt::Display = "opaque";
        long: String = "日".repeat(3001);
    }

    #[tokio::test]
    async fn every_kind_becomes_its_text() {
        let cut =
            format!("{}\n[cut: the first 3000 of 3001 characters are shown]", "日".repeat(3000));
        let expected = [
            ("unit", "ok"),
            ("words", "plain"),
            ("integer", "-3"),
            ("both", "shown"),
            ("point", r#"{"x":1,"y":2}"#),
            ("list", "[1,2]"),
            ("absent", "null"),
            ("ok", r#"{"x":3,"y":4}"#),
            ("ok_unit", "ok"),
            ("alias", "error(failed): no disk"),
            ("text_error", "error(failed): in words"),
            ("string_error", "error(failed): in owned words"),
            ("tool_error", "error(failed): try again"),
            ("boxed", "error(failed): boxed"),
            ("boxed_send", "error(failed): boxed to go"),
            ("shown_error", "error(failed): only words"),
            ("anyhow_error", "error(failed): the top: the root"),
            ("opaque", "opaque"),
            ("long", &cut),
        ];
        let called = call_all().await;
        let called: Vec<(&str, &str)> =
            called.iter().map(|(name, text)| (*name, text.as_str())).collect();
        assert_eq!(called, expected);
    }
}
