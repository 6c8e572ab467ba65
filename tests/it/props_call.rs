//! What holds for every call: no input panics, each gives a result.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use agent_core::{Agent, ErrorKind, Event, Reply, ScriptedModel, tool, tools};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Unit {
    /// The first.
    First,
    Second,
}

#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
enum Data {
    Point { x: i32, y: Option<i32> },
    Name(String),
    Nothing,
}

#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Words { words: Vec<String> },
}

#[derive(Serialize, Deserialize, JsonSchema, Debug, Clone, PartialEq)]
struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
}

/// A tool with a parameter of every shape. It gives back what it got.
#[tool("Take one of everything.", inline, register = false)]
#[allow(clippy::too_many_arguments)]
fn everything(
    text: &str,
    texts: &[String],
    integer: i64,
    small: u8,
    number: f64,
    flag: bool,
    unit: Unit,
    data: Data,
    untagged: Untagged,
    tree: Tree,
    map: BTreeMap<String, u32>,
    pair: (u8, bool),
    letter: char,
    anything: Value,
    optional: Option<u32>,
    optional_list: Option<Vec<Unit>>,
    #[arg(default = 7)] defaulted: u32,
    #[arg(default = "x")] defaulted_text: String,
) -> Value {
    json!({
        "text": text, "texts": texts, "integer": integer, "small": small, "number": number, "flag": flag, "unit": unit,
        "data": data, "untagged": untagged, "tree": tree, "map": map, "pair": pair, "letter": letter,
        "anything": anything, "optional": optional, "optional_list": optional_list, "defaulted": defaulted,
        "defaulted_text": defaulted_text,
    })
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![Just(Unit::First), Just(Unit::Second)]
}

fn data() -> impl Strategy<Value = Data> {
    prop_oneof![
        (any::<i32>(), any::<Option<i32>>()).prop_map(|(x, y)| Data::Point { x, y }),
        any::<String>().prop_map(Data::Name),
        Just(Data::Nothing),
    ]
}

fn untagged() -> impl Strategy<Value = Untagged> {
    prop_oneof![
        any::<i64>().prop_map(Untagged::Number),
        prop::collection::vec(any::<String>(), 0..3).prop_map(|words| Untagged::Words { words }),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = any::<String>().prop_map(|name| Tree { name, children: Vec::new() });
    leaf.prop_recursive(3, 8, 3, |inner| {
        (any::<String>(), prop::collection::vec(inner, 0..3))
            .prop_map(|(name, children)| Tree { name, children })
    })
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        prop::sample::select(vec![
            "5",
            "5.0",
            "true",
            "null",
            "[1]",
            "{\"a\":1}",
            "\"",
            "{",
            "NaN",
            "1e999",
            "\u{0}"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

prop_compose! {
    fn valid()(
        (text, texts, integer, small, number) in
            (any::<String>(), prop::collection::vec(any::<String>(), 0..3), any::<i64>(), any::<u8>(), -1e9..1e9_f64),
        (flag, unit, data, untagged, tree) in (any::<bool>(), unit(), data(), untagged(), tree()),
        map in prop::collection::btree_map(any::<String>(), any::<u32>(), 0..3),
        (pair, letter, anything) in (any::<(u8, bool)>(), any::<char>(), anything()),
        (optional, list) in (any::<Option<u32>>(), prop::option::of(prop::collection::vec(unit(), 0..3))),
        (defaulted, words) in (any::<u32>(), any::<String>()),
    ) -> Map<String, Value> {
        let value = json!({
            "text": text, "texts": texts, "integer": integer, "small": small, "number": number, "flag": flag,
            "unit": unit, "data": data, "untagged": untagged, "tree": tree, "map": map, "pair": pair,
            "letter": letter, "anything": anything, "optional": optional, "optional_list": list,
            "defaulted": defaulted, "defaulted_text": words,
        });
        let Value::Object(map) = value else { unreachable!() };
        map
    }
}

/// What is done to a valid call; each row of the decoding table has one.
#[derive(Debug, Clone)]
enum Mutation {
    None,
    Encode,
    EncodeTwice,
    DigitsForInteger,
    FloatForInteger,
    TextForBoolean,
    TextForNumber,
    NullForOptional,
    NullForDefaulted,
    LeaveOutOptional,
    EncodeList,
    EncodeStruct,
    EncodeMap,
    Nothing(Value),
    Replace(usize, Value),
    Remove(usize),
    Add(String, Value),
    CutText(usize),
    Whole(Value),
}

impl Mutation {
    /// Whether the call still means the same.
    fn keeps_meaning(&self) -> bool {
        !matches!(
            self,
            Self::Nothing(_)
                | Self::Replace(..)
                | Self::Remove(_)
                | Self::Add(..)
                | Self::CutText(_)
                | Self::Whole(_)
        )
    }

    fn apply(&self, mut call: Map<String, Value>) -> Value {
        let encode = |call: &mut Map<String, Value>, name: &str| {
            let text = call[name].to_string();
            call.insert(name.to_owned(), text.into());
        };
        let set = |call: &mut Map<String, Value>, name: &str, value: Value| {
            drop(call.insert(name.to_owned(), value))
        };
        match self {
            Self::None => {}
            Self::Encode => return Value::Object(call).to_string().into(),
            Self::EncodeTwice => {
                return Value::String(Value::Object(call).to_string()).to_string().into();
            }
            Self::DigitsForInteger => encode(&mut call, "integer"),
            Self::FloatForInteger => {
                let small = call["small"].as_u64().unwrap();
                set(&mut call, "small", json!(small as f64));
            }
            Self::TextForBoolean => encode(&mut call, "flag"),
            Self::TextForNumber => encode(&mut call, "number"),
            Self::NullForOptional => set(&mut call, "optional", Value::Null),
            Self::NullForDefaulted => set(&mut call, "defaulted", Value::Null),
            Self::LeaveOutOptional => {
                drop((call.remove("optional"), call.remove("defaulted_text")))
            }
            Self::EncodeList => encode(&mut call, "texts"),
            Self::EncodeStruct => encode(&mut call, "tree"),
            Self::EncodeMap => encode(&mut call, "map"),
            Self::Nothing(nothing) | Self::Whole(nothing) => return nothing.clone(),
            Self::Replace(place, value) => {
                let name = call.keys().nth(place % call.len()).unwrap().clone();
                call.insert(name, value.clone());
            }
            Self::Remove(place) => {
                let name = call.keys().nth(place % call.len()).unwrap().clone();
                call.remove(&name);
            }
            Self::Add(name, value) => drop(call.insert(name.clone(), value.clone())),
            Self::CutText(place) => {
                let text = Value::Object(call).to_string();
                let cut: String = text.chars().take(place % text.chars().count()).collect();
                return cut.into();
            }
        }
        Value::Object(call)
    }
}

fn mutation() -> impl Strategy<Value = Mutation> {
    use Mutation::*;
    let same = prop::sample::select(vec![
        None,
        Encode,
        EncodeTwice,
        DigitsForInteger,
        FloatForInteger,
        TextForBoolean,
        TextForNumber,
        NullForOptional,
        NullForDefaulted,
        LeaveOutOptional,
        EncodeList,
        EncodeStruct,
        EncodeMap,
    ]);
    let nothing =
        prop::sample::select(vec![json!(""), json!("  "), json!("null"), Value::Null, json!({})]);
    prop_oneof![
        10 => same,
        1 => nothing.prop_map(Nothing),
        3 => (any::<usize>(), anything()).prop_map(|(place, value)| Replace(place, value)),
        1 => any::<usize>().prop_map(Remove),
        1 => (any::<String>(), anything()).prop_map(|(name, value)| Add(name, value)),
        2 => any::<usize>().prop_map(CutText),
        2 => anything().prop_map(Whole),
    ]
}

/// How often each row of the decoding table was hit, by the kind of mutation.
static HITS: [AtomicU32; 19] = [const { AtomicU32::new(0) }; 19];

fn row(mutation: &Mutation) -> usize {
    match mutation {
        Mutation::None => 0,
        Mutation::Encode => 1,
        Mutation::EncodeTwice => 2,
        Mutation::DigitsForInteger => 3,
        Mutation::FloatForInteger => 4,
        Mutation::TextForBoolean => 5,
        Mutation::TextForNumber => 6,
        Mutation::NullForOptional => 7,
        Mutation::NullForDefaulted => 8,
        Mutation::LeaveOutOptional => 9,
        Mutation::EncodeList => 10,
        Mutation::EncodeStruct => 11,
        Mutation::EncodeMap => 12,
        Mutation::Nothing(_) => 13,
        Mutation::Replace(..) => 14,
        Mutation::Remove(_) => 15,
        Mutation::Add(..) => 16,
        Mutation::CutText(_) => 17,
        Mutation::Whole(_) => 18,
    }
}

/// What the tool gives back for a call, were it read as it is meant.
fn meant(mutation: &Mutation, mut call: Map<String, Value>) -> Value {
    match mutation {
        Mutation::NullForOptional => drop(call.insert("optional".into(), Value::Null)),
        Mutation::NullForDefaulted => drop(call.insert("defaulted".into(), json!(7))),
        Mutation::LeaveOutOptional => {
            call.insert("optional".into(), Value::Null);
            call.insert("defaulted_text".into(), json!("x"));
        }
        _ => {}
    }
    Value::Object(call)
}

fn check(call: Map<String, Value>, mutation: &Mutation) {
    HITS[row(mutation)].fetch_add(1, Ordering::Relaxed);
    let sent = mutation.apply(call.clone());
    let panicked = std::sync::Arc::new(AtomicU32::new(0));
    let seen = std::sync::Arc::clone(&panicked);
    let agent = Agent::builder()
        .model(ScriptedModel::new([Reply::call("everything", sent.clone()), Reply::text("done")]))
        .tools(tools![everything])
        .limits(agent_core::Limits { max_result_chars: usize::MAX, ..Default::default() })
        .on_event(move |event| {
            if let Event::CallFinished { result, .. } = event {
                seen.fetch_add(
                    u32::from(ErrorKind::of(&result.content) == Some(ErrorKind::Panicked)),
                    Ordering::Relaxed,
                );
            }
        })
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let run = runtime.block_on(agent.run("go")).unwrap();
    tests::check_transcript(run.transcript()).unwrap();
    assert_eq!(panicked.load(Ordering::Relaxed), 0);
    let result = tests::results(run.transcript())[0];
    if mutation.keeps_meaning() {
        let got: Value =
            serde_json::from_str(result).unwrap_or_else(|_| panic!("{sent} was refused: {result}"));
        assert_eq!(got, meant(mutation, call));
    } else if let Some(kind) = ErrorKind::of(result) {
        assert!(matches!(kind, ErrorKind::InvalidJson | ErrorKind::InvalidArguments), "{result}");
    } else {
        serde_json::from_str::<Value>(result).unwrap();
    }
}

#[test]
fn no_input_panics_each_gives_a_result_and_every_row_is_hit() {
    let config =
        ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    runner
        .run(&(valid(), mutation()), |(call, mutation)| {
            check(call, &mutation);
            Ok(())
        })
        .unwrap();
    for (row, hits) in HITS.iter().enumerate() {
        assert!(hits.load(Ordering::Relaxed) > 0, "row {row} was never hit");
    }
}
