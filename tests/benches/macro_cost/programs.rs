//! The programs that are compared: a hundred functions, bare, as tools, or with structs by hand.

const FUNCTIONS: usize = 100;

/// A crate and how it is called in the table.
pub(crate) struct Program {
    pub(crate) package: &'static str,
    pub(crate) title: &'static str,
    pub(crate) source: String,
}

/// All programs. Those that add something come after the one they add it to.
pub(crate) fn all() -> [Program; 5] {
    let hundred = |item: fn(usize) -> String| (0..FUNCTIONS).map(item).collect::<String>();
    let pairs = hundred(pair);
    let structs = format!("{}{}", bare(&pairs), hundred(by_hand));
    let shapes = format!("{TYPES}{}", hundred(shape));
    [
        Program { package: "pairs", title: "two parameters", source: bare(&pairs) },
        Program { package: "pair-tools", title: "  as tools", source: pairs },
        Program { package: "pair-structs", title: "  with structs by hand", source: structs },
        Program { package: "shapes", title: "mixed shapes", source: bare(&shapes) },
        Program { package: "shape-tools", title: "  as tools", source: shapes },
    ]
}

/// The source without the attributes of `agent-core`.
fn bare(source: &str) -> String {
    const ATTRIBUTES: [&str; 4] = ["#[agent_core::tool(", "#[arg(", "#[state]", "#[context]"];
    let mut rest = source;
    let mut kept = String::new();
    while let Some(start) = ATTRIBUTES.iter().filter_map(|attribute| rest.find(attribute)).min() {
        let (before, attribute) = rest.split_at(start);
        kept.push_str(before);
        rest = attribute.split_once(']').map_or("", |(_, after)| after);
    }
    kept + rest
}

/// The types of the two parameters of the function `index`.
fn types(index: usize) -> [&'static str; 2] {
    const TYPES: [&str; 6] = ["f64", "i64", "u32", "String", "bool", "&str"];
    [TYPES[index % TYPES.len()], TYPES[(index / TYPES.len() + 1) % TYPES.len()]]
}

fn pair(index: usize) -> String {
    let [a, b] = types(index);
    format!(
        r#"
#[agent_core::tool("Show two values.")]
pub fn show_{index}(a: {a}, #[arg("The second.")] b: {b}) -> String {{
    format!("{{a}} {{b}}")
}}
"#
    )
}

/// What calls the same function without a framework.
fn by_hand(index: usize) -> String {
    let [a, b] = types(index).map(|ty| if ty == "&str" { "&'a str" } else { ty });
    let borrows = [a, b].contains(&"&'a str");
    let (lifetime, elided) = if borrows { ("<'a>", "<'_>") } else { ("", "") };
    format!(
        r#"
#[derive(serde::Deserialize)]
struct Show{index}{lifetime} {{
    a: {a},
    b: {b},
}}

pub fn call_show_{index}(arguments: &str) -> Result<String, serde_json::Error> {{
    let Show{index} {{ a, b }}: Show{index}{elided} = serde_json::from_str(arguments)?;
    Ok(show_{index}(a, b))
}}
"#
    )
}

const TYPES: &str = r#"
pub struct Store(pub Vec<String>);

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Filter {
    pub field: String,
    pub weight: f64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
pub enum Order {
    Up,
    Down,
}
"#;

/// The shapes take turns; `NAME` stands for the name of the function.
fn shape(index: usize) -> String {
    const SHAPES: [&str; 8] = [
        r#"
#[agent_core::tool("Tell a number.")]
pub fn NAME() -> u32 {
    7
}
"#,
        r#"
#[agent_core::tool("Add two numbers.", read_only)]
pub fn NAME(#[arg("The first.")] a: f64, #[arg("The second.")] b: f64) -> f64 {
    a + b
}
"#,
        r#"
#[agent_core::tool("Search.", read_only, tags("docs"))]
pub fn NAME(#[arg("What to look for.", length = 1..)] query: &str, #[arg(default = 10, range = 1..=80)] limit: u32, tag: Option<String>) -> Vec<String> {
    vec![format!("{query} {limit} {tag:?}")]
}
"#,
        r#"
#[agent_core::tool("Join words.")]
pub fn NAME(words: &[String], #[arg(default = "-")] with: String) -> String {
    words.join(&with)
}
"#,
        r#"
#[agent_core::tool("Wait.", timeout = "5s")]
pub async fn NAME(a: u64, b: String) -> Result<String, std::io::Error> {
    Ok(format!("{a} {b}"))
}
"#,
        r#"
#[agent_core::tool("Store a value.")]
pub fn NAME(#[state] store: &Store, key: String, value: serde_json::Value) -> Result<(), String> {
    if store.0.contains(&key) { Ok(()) } else { Err(format!("{key} {value}")) }
}
"#,
        r#"
#[agent_core::tool("Filter.")]
pub async fn NAME(#[state] store: std::sync::Arc<Store>, #[context] cx: &agent_core::ToolContext, filters: Vec<Filter>, order: Order) -> String {
    format!("{} {} {} {}", store.0.len(), cx.step(), filters.len(), matches!(order, Order::Up))
}
"#,
        r#"
#[agent_core::tool("Label.", destructive, idempotent)]
pub fn NAME(labels: std::collections::BTreeMap<String, u32>, pair: (u8, bool), filter: Option<Filter>) -> usize {
    if pair.1 && filter.is_none() { labels.len() } else { 0 }
}
"#,
    ];
    SHAPES[index % SHAPES.len()].replace("NAME", &format!("shape_{index}"))
}
