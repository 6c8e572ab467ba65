//! What holds for every schema, in every dialect.

use std::collections::BTreeMap;

use agent_core::{Agent, Dialect, ScriptedModel, Tool, tool, tools};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Names of fields, many of them keywords of JSON Schema.
fn name() -> impl Strategy<Value = String> {
    let keywords = [
        "title",
        "properties",
        "format",
        "items",
        "default",
        "type",
        "enum",
        "required",
        "anyOf",
        "const",
    ];
    prop_oneof![prop::sample::select(keywords.to_vec()).prop_map(str::to_owned), "[a-z]{1,6}"]
}

fn described(schema: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    (schema, prop::option::of("[A-Za-z ]{1,12}")).prop_map(|(mut schema, description)| {
        if let Some(description) = description {
            schema["description"] = description.into();
        }
        schema
    })
}

fn object(fields: BTreeMap<String, (Value, bool)>) -> Value {
    let required: Vec<&String> =
        fields.iter().filter(|(_, (_, required))| *required).map(|(name, _)| name).collect();
    let properties: Map<String, Value> =
        fields.iter().map(|(name, (schema, _))| (name.clone(), schema.clone())).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// A schema as types have them, nested at random.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "boolean"})),
        Just(json!({"type": "number"})),
        Just(json!({"type": "integer"})),
        Just(json!({"type": "integer", "minimum": 0, "maximum": 255})),
        Just(json!({"type": "integer", "exclusiveMinimum": 0})),
        Just(json!({"type": "string", "enum": ["a", "b"]})),
        Just(json!({"type": "integer", "enum": [1, 3]})),
        Just(json!({"const": "tag"})),
        Just(json!({"type": "string", "format": "uuid"})),
        Just(json!({"type": "string", "format": "uri"})),
        Just(json!({"type": "string", "minLength": 1})),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({"$ref": "#/$defs/Node"})),
        Just(json!({"$ref": "#/$defs/Leaf"})),
        Just(json!({})),
        Just(json!({"type": "string", "default": "x"})),
    ];
    described(leaf).prop_recursive(4, 24, 4, |inner| {
        let fields = prop::collection::btree_map(name(), (inner.clone(), any::<bool>()), 0..4);
        described(prop_oneof![
            4 => fields.prop_map(object),
            2 => inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            1 => inner.clone().prop_map(|values| json!({"type": "object", "additionalProperties": values})),
            1 => inner.clone().prop_map(|value| json!({"anyOf": [value, {"type": "null"}]})),
            1 => prop::collection::vec(inner, 1..3).prop_map(|arms| json!({"oneOf": arms})),
        ])
    })
}

/// The schemas that stand in `schema`, itself first, each with what it is the schema of.
fn nodes<'s>(schema: &'s Value, all: &mut Vec<&'s Value>) {
    all.push(schema);
    let Some(map) = schema.as_object() else { return };
    for key in ["items", "additionalProperties", "not"] {
        map.get(key).into_iter().for_each(|child| nodes(child, all));
    }
    for key in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        map.get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .for_each(|child| nodes(child, all));
    }
    for key in ["properties", "$defs"] {
        map.get(key)
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::values)
            .for_each(|child| nodes(child, all));
    }
}

const STRICT: [&str; 14] = [
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "items",
    "maximum",
    "minimum",
    "properties",
    "required",
];
const GEMINI: [&str; 13] = [
    "anyOf",
    "default",
    "description",
    "enum",
    "format",
    "items",
    "maximum",
    "minLength",
    "minimum",
    "nullable",
    "properties",
    "required",
    "type",
];

fn check_strict(root: &Value) {
    let mut all = Vec::new();
    nodes(root, &mut all);
    for node in all.into_iter().filter(|node| node.is_object()) {
        let map = node.as_object().unwrap();
        for key in map.keys() {
            assert!(
                STRICT.contains(&key.as_str()) || key == "type" || key == "$defs",
                "{key} in {node}"
            );
        }
        if let Some(target) = map.get("$ref") {
            assert_eq!(map.len(), 1, "siblings of $ref in {node}");
            let target = target.as_str().unwrap().strip_prefix('#').unwrap();
            assert!(root.pointer(target).is_some(), "{target} resolves");
        }
        if map.get("type").is_some_and(|kind| kind == "object") {
            assert_eq!(map["additionalProperties"], json!(false));
            let mut required: Vec<&str> = map
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(|name| name.as_str().unwrap())
                .collect();
            required.sort_unstable();
            let names: Vec<&String> = map["properties"].as_object().unwrap().keys().collect();
            assert_eq!(required, names, "{node}");
        }
        if map.get("type").is_some_and(|kind| kind == "array") {
            assert!(map["items"].as_object().is_some_and(|items| !items.is_empty()), "{node}");
        }
    }
}

fn check_gemini(root: &Value) {
    let mut all = Vec::new();
    nodes(root, &mut all);
    for node in all {
        let map = node.as_object().unwrap();
        for key in map.keys() {
            assert!(GEMINI.contains(&key.as_str()), "{key} in {node}");
        }
        assert!(map.contains_key("type") || map.contains_key("anyOf"), "{node}");
        assert!(map.get("type").is_none_or(Value::is_string), "{node}");
        assert!(
            map.get("enum").is_none_or(|values| values
                .as_array()
                .unwrap()
                .iter()
                .all(Value::is_string)),
            "{node}"
        );
        let known = ["int32", "int64", "float", "double", "enum", "date-time"];
        assert!(
            map.get("format").is_none_or(|format| known.contains(&format.as_str().unwrap())),
            "{node}"
        );
        let arms = map.get("anyOf").and_then(Value::as_array).into_iter().flatten();
        assert!(arms.clone().all(|arm| arm != &json!({"type": "null"})), "{node}");
        if map.get("type").is_some_and(|kind| kind == "array") {
            assert!(map["items"].as_object().is_some_and(|items| !items.is_empty()), "{node}");
        }
    }
}

fn made(properties: &BTreeMap<String, (Value, bool)>) -> Tool {
    let mut root = object(properties.clone());
    root["$defs"] = json!({
        "Node": object(BTreeMap::from([
            ("name".to_owned(), (json!({"type": "string"}), true)),
            ("next".to_owned(), (json!({"$ref": "#/$defs/Node"}), false)),
        ])),
        "Leaf": {"type": "integer", "description": "A leaf."},
    });
    Tool::from_schema("t", "Test.", root, |_, _| async { Ok::<_, &str>("") }).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_rendering_keeps_to_its_dialect_and_keeps_names_types_and_descriptions(
        properties in prop::collection::btree_map(name(), (schema(), any::<bool>()), 0..5),
    ) {
        let tool = made(&properties);
        for dialect in [Dialect::JsonSchema, Dialect::OpenAiStrict, Dialect::Gemini] {
            let Ok(rendered) = tool.parameters_for(dialect) else {
                assert_eq!(dialect, Dialect::Gemini, "only Gemini's subset refuses");
                continue;
            };
            let again = tool.parameters_for(dialect).unwrap();
            assert_eq!(again.parameters.get(), rendered.parameters.get());
            let root: Value = serde_json::from_str(rendered.parameters.get()).unwrap();
            assert_eq!(&root["type"], "object");
            match dialect {
                Dialect::OpenAiStrict if rendered.strict => check_strict(&root),
                Dialect::OpenAiStrict => assert_eq!(rendered.parameters.get(), tool.parameters().get()),
                Dialect::Gemini => check_gemini(&root),
                _ => {}
            }
            let names: Vec<&String> = root["properties"].as_object().unwrap().keys().collect();
            assert_eq!(names, properties.keys().collect::<Vec<_>>());
            for (name, (schema, _)) in &properties {
                let rendered = &root["properties"][name];
                if let (Some(kind), Some(shown)) = (schema["type"].as_str(), rendered["type"].as_str()) {
                    assert_eq!(kind, shown);
                }
                if let Some(description) = schema["description"].as_str() {
                    assert!(rendered["description"].as_str().is_some_and(|shown| shown.contains(description)), "{rendered}");
                }
            }
        }
    }
}

#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[serde(rename_all = "snake_case")]
enum Unit {
    /// The first.
    First,
    Second,
}

#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone)]
enum Data {
    Point {
        x: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        y: Option<i32>,
    },
    Name(String),
    Nothing,
}

#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[serde(tag = "kind")]
enum Tagged {
    Circle { radius: u8 },
    Square { side: u8, name: String },
}

#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone)]
struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone)]
struct Record {
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<Unit>,
    #[serde(default)]
    items: Vec<Data>,
    properties: BTreeMap<String, Tagged>,
    pair: (u8, bool),
}

#[tool("Take one of everything.", inline, register = false)]
#[expect(clippy::too_many_arguments, reason = "one of every shape")]
fn everything(
    record: Record,
    tree: Tree,
    tagged: Tagged,
    units: &[Unit],
    number: f64,
    small: u8,
    letter: char,
    optional: Option<Record>,
    #[arg(default = 7)] defaulted: u32,
) -> Value {
    json!([record, tree, tagged, units, number, small, letter, optional, defaulted])
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![Just(Unit::First), Just(Unit::Second)]
}

fn tagged() -> impl Strategy<Value = Tagged> {
    prop_oneof![
        any::<u8>().prop_map(|radius| Tagged::Circle { radius }),
        (any::<u8>(), any::<String>()).prop_map(|(side, name)| Tagged::Square { side, name }),
    ]
}

fn data() -> impl Strategy<Value = Data> {
    prop_oneof![
        (any::<i32>(), any::<Option<i32>>()).prop_map(|(x, y)| Data::Point { x, y }),
        any::<String>().prop_map(Data::Name),
        Just(Data::Nothing),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = any::<String>().prop_map(|name| Tree { name, children: Vec::new() });
    leaf.prop_recursive(3, 8, 3, |inner| {
        (any::<String>(), prop::collection::vec(inner, 0..3))
            .prop_map(|(name, children)| Tree { name, children })
    })
}

prop_compose! {
    fn record()(
        title in any::<String>(),
        format in prop::option::of(unit()),
        items in prop::collection::vec(data(), 0..3),
        properties in prop::collection::btree_map(any::<String>(), tagged(), 0..3),
        pair in any::<(u8, bool)>(),
    ) -> Record {
        Record { title, format, items, properties, pair }
    }
}

prop_compose! {
    fn arguments()(
        record in record(), tree in tree(), tagged in tagged(), units in prop::collection::vec(unit(), 0..3),
        number in -1e9..1e9_f64, small in any::<u8>(), letter in any::<char>(), optional in prop::option::of(record()),
        defaulted in prop::option::of(any::<u32>()),
    ) -> Value {
        let mut value = json!({
            "record": record, "tree": tree, "tagged": tagged, "units": units, "number": number, "small": small,
            "letter": letter,
        });
        if let Some(optional) = optional {
            value["optional"] = json!(optional);
        }
        if let Some(defaulted) = defaulted {
            value["defaulted"] = json!(defaulted);
        }
        value
    }
}

/// Calls `everything`; the content, and whether it is an error.
fn call(arguments: &Value) -> (String, bool) {
    let agent =
        Agent::builder().model(ScriptedModel::new([])).tools(tools![everything]).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let result = runtime.block_on(agent.call("everything", arguments.clone()));
    (result.content, result.is_error)
}

/// Values that a schema allows.
fn value_of(schema: &Value, root: &Value, depth: u32) -> BoxedStrategy<Value> {
    let child = |schema: &Value| value_of(schema, root, depth + 1);
    if let Some(target) = schema["$ref"].as_str() {
        return value_of(root.pointer(target.strip_prefix('#').unwrap()).unwrap(), root, depth + 1);
    }
    if let Some(values) = schema["enum"].as_array() {
        return prop::sample::select(values.clone()).boxed();
    }
    if !schema["const"].is_null() {
        return Just(schema["const"].clone()).boxed();
    }
    if let Some(arms) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        return prop::strategy::Union::new(arms.iter().map(child)).boxed();
    }
    match schema["type"].as_str().unwrap() {
        "null" => Just(Value::Null).boxed(),
        "boolean" => any::<bool>().prop_map(Value::from).boxed(),
        "number" => (-1e6..1e6_f64).prop_map(Value::from).boxed(),
        "integer" => {
            let least = schema["minimum"].as_i64().unwrap_or(i32::MIN.into());
            let most = schema["maximum"].as_i64().unwrap_or(i32::MAX.into());
            (least..=most).prop_map(Value::from).boxed()
        }
        "string" if schema["maxLength"] == 1 => {
            any::<char>().prop_map(|c| c.to_string().into()).boxed()
        }
        "string" => any::<String>().prop_map(Value::from).boxed(),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => {
                items.iter().map(child).collect::<Vec<_>>().prop_map(Value::from).boxed()
            }
            None => {
                prop::collection::vec(child(&schema["items"]), 0..if depth > 4 { 1 } else { 3 })
                    .prop_map(Value::from)
                    .boxed()
            }
        },
        "object" => object_of(schema, root, depth),
        other => panic!("{other}"),
    }
}

fn object_of(schema: &Value, root: &Value, depth: u32) -> BoxedStrategy<Value> {
    if let Some(values) = schema["additionalProperties"].as_object() {
        let values = value_of(&Value::Object(values.clone()), root, depth + 1);
        return prop::collection::btree_map(any::<String>(), values, 0..3)
            .prop_map(|map| Value::Object(map.into_iter().collect()))
            .boxed();
    }
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut fields = Vec::new();
    for (name, schema) in schema["properties"].as_object().unwrap() {
        let needed = required.iter().any(|known| known == name);
        if !needed && depth > 4 {
            continue;
        }
        let name = name.clone();
        let value = value_of(schema, root, depth + 1);
        let kept = if needed { Just(true).boxed() } else { any::<bool>().boxed() };
        fields
            .push((value, kept).prop_map(move |(value, kept)| kept.then(|| (name.clone(), value))));
    }
    fields.prop_map(|fields| Value::Object(fields.into_iter().flatten().collect())).boxed()
}

/// The closed objects in a value, found by the schema, as pointers into it.
fn closed_objects(
    schema: &Value,
    root: &Value,
    value: &Value,
    at: String,
    found: &mut Vec<String>,
) {
    if let Some(target) = schema["$ref"].as_str() {
        return closed_objects(
            root.pointer(target.strip_prefix('#').unwrap()).unwrap(),
            root,
            value,
            at,
            found,
        );
    }
    let arms = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    if let Some(arms) = arms {
        let fits = |arm: &&Value| {
            let mut arm = (*arm).clone();
            arm["$defs"] = root["$defs"].clone();
            jsonschema::is_valid(&arm, value)
        };
        if let Some(arm) = arms.iter().find(fits) {
            closed_objects(arm, root, value, at, found);
        }
        return;
    }
    match value {
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                closed_objects(&schema["items"], root, value, format!("{at}/{index}"), found);
            }
        }
        Value::Object(map) => {
            let open = schema["additionalProperties"].is_object();
            if !open {
                found.push(at.clone());
            }
            for (name, value) in map {
                let schema = if open {
                    &schema["additionalProperties"]
                } else {
                    &schema["properties"][name]
                };
                let escaped = name.replace('~', "~0").replace('/', "~1");
                closed_objects(schema, root, value, format!("{at}/{escaped}"), found);
            }
        }
        _ => {}
    }
}

fn schema_of_everything() -> Value {
    let [tool] = tools![everything];
    serde_json::from_str(tool.parameters().get()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_value_of_the_types_fits_their_schema_and_is_accepted(arguments in arguments()) {
        let errors: Vec<String> = jsonschema::validator_for(&schema_of_everything())
            .unwrap()
            .iter_errors(&arguments)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?} in {arguments}");
        let (content, is_error) = call(&arguments);
        assert!(!is_error, "{content}");
    }

    #[test]
    fn every_value_of_the_schema_is_accepted_and_an_unknown_field_is_refused_at_every_depth(
        arguments in value_of(&schema_of_everything(), &schema_of_everything(), 0),
        place in any::<prop::sample::Index>(),
    ) {
        let (content, is_error) = call(&arguments);
        assert!(!is_error, "{content} for {arguments}");
        let root = schema_of_everything();
        let mut found = Vec::new();
        closed_objects(&root, &root, &arguments, String::new(), &mut found);
        let mut wrong = arguments;
        let object = wrong.pointer_mut(place.get(found.as_slice()).as_str()).unwrap();
        object["surely_unknown"] = json!(1);
        let (content, is_error) = call(&wrong);
        assert!(is_error && content.contains("surely_unknown"), "{content} for {wrong}");
    }
}
