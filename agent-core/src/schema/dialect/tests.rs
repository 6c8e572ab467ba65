use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Dialect, Property, Root};
use crate::macros_support::ToolItem;
use crate::schema::ParameterSchema;
use crate::{Tool, tool};

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read for its schema")]
struct Filter {
    field: String,
    op: Op,
}

#[derive(Deserialize, JsonSchema)]
enum Op {
    /// Equal.
    Eq,
    Lt,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read for its schema")]
struct Node {
    name: String,
    children: Vec<Node>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read for its schema")]
enum Target {
    Url { url: String },
    File { path: String, line: Option<u32> },
}

#[tool("Test.", register = false)]
fn note(text: String, tag: Option<String>, #[arg(default = 3)] times: u8, op: Option<Op>) {
    let _ = (text, tag, times, op);
}

#[tool("Test.", register = false)]
fn search(filters: Vec<Filter>, also: Filter) {
    let _ = (filters, also);
}

#[tool("Test.", register = false)]
fn plant(
    /** Where it starts. */
    root: Node,
) {
    let _ = root;
}

#[tool("Test.", register = false)]
fn tag(labels: HashMap<String, String>) {
    let _ = labels;
}

#[tool("Test.", register = false)]
fn open(target: Target) {
    let _ = target;
}

#[tool("Test.", register = false)]
fn anything(value: Value) {
    let _ = value;
}

#[tool("Test.", register = false)]
fn now() {}

fn rendered<T: ToolItem>(dialect: Dialect) -> Result<(Value, bool), String> {
    let rendered = Tool::of::<T>().parameters_for(dialect).map_err(|error| error.to_string())?;
    Ok((serde_json::from_str(rendered.parameters.get()).unwrap(), rendered.strict))
}

fn strict<T: ToolItem>() -> Value {
    let (schema, strict) = rendered::<T>(Dialect::OpenAiStrict).unwrap();
    assert!(strict);
    schema
}

fn not_strict<T: ToolItem>() {
    let plain = rendered::<T>(Dialect::JsonSchema).unwrap();
    assert_eq!(rendered::<T>(Dialect::OpenAiStrict), Ok(plain));
}

fn gemini<T: ToolItem>() -> Value {
    rendered::<T>(Dialect::Gemini).unwrap().0
}

#[test]
fn an_optional_parameter_is_nullable_where_a_dialect_has_it_so() {
    let op = json!({"type": "string", "enum": ["Lt", "Eq"], "description": "- Eq: Equal."});
    let expected = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "tag": {"type": ["string", "null"]},
            "times": {"type": ["integer", "null"], "minimum": 0, "maximum": 255, "description": "Default: 3."},
            "op": {
                "anyOf": [{"type": "string", "enum": ["Lt", "Eq"]}, {"type": "null"}],
                "description": "- Eq: Equal.",
            },
        },
        "required": ["text", "tag", "times", "op"],
        "additionalProperties": false,
    });
    assert_eq!(strict::<note>(), expected);

    let mut nullable_op = op;
    nullable_op["nullable"] = json!(true);
    let expected = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "tag": {"type": "string", "nullable": true},
            "times": {"type": "integer", "minimum": 0, "maximum": 255, "default": 3, "nullable": true},
            "op": nullable_op,
        },
        "required": ["text"],
    });
    assert_eq!(gemini::<note>(), expected);
}

#[test]
fn structs_and_enums_are_said_without_references() {
    let schema = gemini::<search>();
    assert!(!schema.to_string().contains('$'));
    let item = &schema["properties"]["filters"]["items"];
    assert_eq!(item["properties"]["op"]["enum"], json!(["Lt", "Eq"]));
    assert_eq!(item, &schema["properties"]["also"]);
    strict::<search>();
}

#[test]
fn a_recursive_type_keeps_its_reference_or_is_refused_by_name() {
    let schema = strict::<plant>();
    let expected = json!({"anyOf": [{"$ref": "#/$defs/Node"}], "description": "Where it starts."});
    assert_eq!(schema["properties"]["root"], expected);
    assert_eq!(schema["$defs"]["Node"]["required"], json!(["children", "name"]));
    let error = rendered::<plant>(Dialect::Gemini).unwrap_err();
    assert!(error.starts_with("`root.children[]"), "{error}");
    assert!(error.ends_with("which Gemini's schema cannot say"), "{error}");
}

#[test]
fn a_map_or_anything_is_never_strict_and_refused_where_it_cannot_be_said() {
    not_strict::<tag>();
    not_strict::<anything>();
    let error = rendered::<tag>(Dialect::Gemini).unwrap_err();
    assert_eq!(error, "`labels` takes fields of any name, which Gemini's schema cannot say");
    let error = rendered::<anything>(Dialect::Gemini).unwrap_err();
    assert_eq!(error, "`value` may be anything, which Gemini's schema cannot say");
}

#[test]
fn a_union_sits_under_its_parameter_as_any_of() {
    for schema in [strict::<open>(), gemini::<open>()] {
        assert!(schema.get("anyOf").is_none());
        assert_eq!(schema["properties"]["target"]["anyOf"].as_array().unwrap().len(), 2);
        assert!(!schema.to_string().contains("oneOf"));
    }
}

#[test]
fn no_parameters_are_an_object_in_every_dialect() {
    let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(strict::<now>(), closed);
    assert_eq!(gemini::<now>(), json!({"type": "object", "properties": {}}));
}

/// One property of a schema that was not made from a Rust type.
fn property(schema: Value) -> ParameterSchema {
    let property = Property { name: "x".into(), schema, required: true };
    ParameterSchema::of(Root {
        properties: vec![property],
        definitions: serde_json::Map::new(),
        closed: true,
    })
}

fn gemini_property(schema: Value) -> Value {
    let rendered = property(schema).root.render(Dialect::Gemini).unwrap();
    let schema: Value = serde_json::from_str(rendered.parameters.get()).unwrap();
    schema["properties"]["x"].clone()
}

#[test]
fn what_gemini_has_no_keyword_for_is_said_in_words() {
    let cases = [
        (
            json!({"type": "integer", "enum": [1, 2]}),
            json!({"type": "integer", "description": "One of 1, 2."}),
        ),
        (json!({"const": "a"}), json!({"type": "string", "enum": ["a"]})),
        (
            json!({"type": "integer", "exclusiveMinimum": 0}),
            json!({"type": "integer", "minimum": 1}),
        ),
        (
            json!({"type": "number", "exclusiveMaximum": 1}),
            json!({"type": "number", "description": "Less than 1."}),
        ),
        (
            json!({"type": "string", "format": "uuid", "description": "Which."}),
            json!({"type": "string", "description": "Which.\nFormat: uuid."}),
        ),
        (
            json!({"type": "string", "format": "date-time"}),
            json!({"type": "string", "format": "date-time"}),
        ),
        (json!({"type": ["integer", "null"]}), json!({"type": "integer", "nullable": true})),
        (
            json!({"anyOf": [{"type": "string", "format": "uri"}, {"type": "null"}]}),
            json!({"type": "string", "nullable": true, "description": "Format: uri."}),
        ),
        (
            json!({"type": "array", "uniqueItems": true, "items": {"type": "string"}}),
            json!({"type": "array", "items": {"type": "string"}, "description": "No item occurs twice."}),
        ),
    ];
    for (schema, expected) in cases {
        assert_eq!(gemini_property(schema.clone()), expected, "{schema}");
    }
}

#[test]
fn what_strict_cannot_enforce_is_sent_unchanged_and_not_strict() {
    for schema in [
        json!({"type": "string", "minLength": 1}),
        json!({"type": "string", "format": "uri"}),
        json!({"type": "string", "pattern": "^(?!a)"}),
        json!({"type": "array"}),
        json!({"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}}),
        json!({"allOf": [{"type": "string"}]}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
    ] {
        let parameters = property(schema.clone());
        let rendered = parameters.root.render(Dialect::OpenAiStrict).unwrap();
        assert!(!rendered.strict, "{schema}");
        assert_eq!(rendered.parameters.get(), parameters.json.get());
    }
}
