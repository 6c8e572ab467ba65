//! Fitting arguments to a tool's parameters: forgiving where the meaning is certain, and precise
//! where it is not.
//!
//! A value that already fits is passed as it is. Another spelling is accepted only where nothing is
//! lost by it; the type's own `Deserialize` has the last word.

mod union;
mod words;

use std::borrow::Cow;
use std::fmt::Display;

use serde_json::{Map, Number, Value};

use crate::message::{Arguments, ToolCall};
use crate::schema::{Fields, Lengths, ParameterSchema, Shape, ShapeTable};
use crate::suggest;
use crate::tool::Tool;
use words::{excerpt, expected};

/// What is wrong with one argument.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    path: String,
    what: String,
}

impl Problem {
    pub(crate) fn new(path: impl Into<String>, what: impl Into<String>) -> Self {
        Self { path: path.into(), what: what.into() }
    }

    /// The same without a word about the value.
    pub(crate) fn masked(self) -> Self {
        Self { what: "not a value that it takes".to_owned(), ..self }
    }

    /// Whether it lies in the argument `name`.
    pub(crate) fn is_at(&self, name: &str) -> bool {
        self.path
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`: {}", self.path, self.what)
    }
}

/// What was read otherwise than it was written, for the trace.
pub(crate) type Notes = Vec<String>;

/// Arguments, fitted.
pub(crate) struct Fitted {
    pub(crate) values: Arguments,
    pub(crate) notes: Notes,
    pub(crate) problems: Vec<Problem>,
}

/// Fits `arguments` to `schema`; finds all problems, one a parameter.
pub(crate) fn fit_arguments(schema: &ParameterSchema, arguments: &Arguments) -> Fitted {
    let mut fit = Fit {
        table: &schema.table,
        notes: Vec::new(),
        tries: 0,
        depth: 0,
        decoded: false,
        secret: false,
    };
    let mut problems = unknown_parameters(schema, arguments);
    let mut changes = Vec::new();
    for parameter in &schema.parameters {
        fit.secret = parameter.secret;
        let absent = match arguments.get(&parameter.name) {
            Some(Value::Null) => parameter.optional,
            Some(_) => false,
            None => true,
        };
        match arguments.get(&parameter.name) {
            Some(_) if absent => changes.push((&parameter.name, None)),
            Some(value) => match fit.value(&parameter.shape, value, &parameter.name) {
                Ok(Cow::Borrowed(_)) => {}
                Ok(Cow::Owned(value)) => changes.push((&parameter.name, Some(value))),
                Err(problem) => problems.push(problem),
            },
            None if parameter.optional => {}
            None => {
                problems.push(Problem::new(&*parameter.name, missing(fit.table, &parameter.shape)))
            }
        }
    }
    let notes = fit.notes;
    if changes.is_empty() {
        return Fitted { values: arguments.clone(), notes, problems };
    }
    let mut values = Map::clone(arguments);
    for (name, change) in changes {
        match change {
            Some(value) => values.insert(name.clone(), value),
            None => values.remove(name),
        };
    }
    Fitted { values: values.into(), notes, problems }
}

/// The call with its arguments as its tool will read them; one that does not fit is as it was sent.
pub(crate) fn as_read(tool: &Tool, call: &ToolCall) -> ToolCall {
    let arguments = fit_arguments(tool.schema(), &call.arguments).values;
    ToolCall { id: call.id.clone(), name: call.name.clone(), arguments }
}

fn unknown_parameters(schema: &ParameterSchema, arguments: &Map<String, Value>) -> Vec<Problem> {
    if !schema.root.closed {
        return Vec::new();
    }
    let known: Vec<&str> =
        schema.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let unknown = arguments.keys().filter(|name| !known.contains(&name.as_str()));
    unknown
        .map(|name| Problem::new(name.as_str(), unknown_name("parameter", name, &known)))
        .collect()
}

fn unknown_name(kind: &str, name: &str, known: &[&str]) -> String {
    match suggest::nearest(name, known) {
        Some(near) => format!("unknown {kind}, did you mean `{near}`?"),
        None => format!("unknown {kind}"),
    }
}

fn missing(table: &ShapeTable, shape: &Shape) -> String {
    format!("missing, expected {}", expected(table, shape))
}

struct Fit<'s> {
    table: &'s ShapeTable,
    notes: Notes,
    tries: usize,
    depth: usize,
    /// Whether this is inside a text that encoded a list or an object. There is one such text in an
    /// argument at most: each could hold as many levels again.
    decoded: bool,
    /// Whether what is fitted now is not to be seen by others.
    secret: bool,
}

/// Unions nested in unions can be tried in exponentially many ways; past this many tries a value is
/// refused.
const MOST_TRIES: usize = 200_000;
/// As deep as JSON itself may be nested.
const DEEPEST: usize = 128;

type Fitting<'v> = Result<Cow<'v, Value>, Problem>;

impl Fit<'_> {
    fn value<'v>(&mut self, shape: &Shape, value: &'v Value, path: &str) -> Fitting<'v> {
        if self.depth >= DEEPEST {
            return Err(Problem::new(path, "nested too deep"));
        }
        self.depth += 1;
        let fitted = self.fitted(shape, value, path);
        self.depth -= 1;
        fitted
    }

    fn fitted<'v>(&mut self, shape: &Shape, value: &'v Value, path: &str) -> Fitting<'v> {
        match (self.table.resolve(shape), value) {
            (Shape::Any, _) | (Shape::Null, Value::Null) | (Shape::Boolean, Value::Bool(_)) => {
                Ok(Cow::Borrowed(value))
            }
            (Shape::Text(lengths), Value::String(_)) => self.counted(*lengths, value, path),
            (Shape::Number(range), Value::Number(number)) if range.admits(number) => {
                Ok(Cow::Borrowed(value))
            }
            (Shape::Choice(choices), _) if choices.contains(value) => Ok(Cow::Borrowed(value)),
            (Shape::Boolean, Value::String(text)) if text == "true" || text == "false" => {
                Ok(self.reading(path, value, Value::Bool(text == "true")))
            }
            (Shape::Integer(range), _) => match integer(value) {
                Some(number) if range.contains(number) => Ok(self.as_integer(path, value, number)),
                _ => Err(self.mismatch(shape, value, path)),
            },
            (Shape::Number(range), Value::String(text)) => match number(text) {
                Some(number) if range.admits(&number) => {
                    Ok(self.reading(path, value, Value::Number(number)))
                }
                _ => Err(self.mismatch(shape, value, path)),
            },
            (Shape::List(items, lengths), Value::Array(values)) => {
                self.counted(*lengths, value, path)?;
                self.list(items, values, value, path)
            }
            (Shape::Object(fields), Value::Object(map)) => {
                self.counted(fields.lengths, value, path)?;
                self.object(fields, map, value, path)
            }
            (Shape::List(..) | Shape::Object(_), Value::String(text)) if !self.decoded => {
                match serde_json::from_str(text) {
                    Ok(inner @ (Value::Array(_) | Value::Object(_))) => {
                        self.decoded = true;
                        let fitted = self.value(shape, &inner, path).map(Cow::into_owned);
                        self.decoded = false;
                        Ok(self.reading(path, value, fitted?))
                    }
                    _ => Err(self.mismatch(shape, value, path)),
                }
            }
            (Shape::Union(arms), _) => self.union(arms, value, path),
            _ => Err(self.mismatch(shape, value, path)),
        }
    }

    /// A value that has no length of this unit is as long as it should be.
    fn counted<'v>(&self, lengths: Lengths, value: &'v Value, path: &str) -> Fitting<'v> {
        match lengths.unit.count(value) {
            Some(count) if !lengths.contains(count) => {
                let shown = self.shown(value);
                Err(Problem::new(path, format!("expected {lengths}, got {count}: {shown}")))
            }
            _ => Ok(Cow::Borrowed(value)),
        }
    }

    fn list<'v>(
        &mut self,
        items: &Shape,
        values: &[Value],
        whole: &'v Value,
        path: &str,
    ) -> Fitting<'v> {
        let mut changed = None;
        for (index, value) in values.iter().enumerate() {
            if let Cow::Owned(value) = self.value(items, value, &format!("{path}[{index}]"))?
                && let Some(place) = changed.get_or_insert_with(|| values.to_vec()).get_mut(index)
            {
                *place = value;
            }
        }
        Ok(changed.map_or(Cow::Borrowed(whole), |values| Cow::Owned(Value::Array(values))))
    }

    fn object<'v>(
        &mut self,
        fields: &Fields,
        map: &Map<String, Value>,
        whole: &'v Value,
        path: &str,
    ) -> Fitting<'v> {
        let mut changed: Option<Map<String, Value>> = None;
        for (name, value) in map {
            let place = format!("{path}.{name}");
            let field = fields.known.iter().find(|field| field.name == *name);
            let Some(shape) = field.map(|field| &field.shape).or(fields.others.as_deref()) else {
                let known: Vec<&str> =
                    fields.known.iter().map(|field| field.name.as_str()).collect();
                return Err(Problem::new(place, unknown_name("field", name, &known)));
            };
            let may_be_absent = field.is_some_and(|field| !field.required);
            let fitted = match self.value(shape, value, &place) {
                Err(_) if value.is_null() && may_be_absent => None,
                other => Some(other?),
            };
            match fitted {
                Some(Cow::Borrowed(_)) => {}
                Some(Cow::Owned(value)) => {
                    changed.get_or_insert_with(|| map.clone()).insert(name.clone(), value);
                }
                None => {
                    changed.get_or_insert_with(|| map.clone()).remove(name);
                }
            }
        }
        let lacking =
            fields.known.iter().find(|field| field.required && !map.contains_key(&field.name));
        match lacking {
            Some(field) => Err(Problem::new(
                format!("{path}.{}", field.name),
                missing(self.table, &field.shape),
            )),
            None => Ok(changed.map_or(Cow::Borrowed(whole), |map| Cow::Owned(Value::Object(map)))),
        }
    }

    fn as_integer<'v>(&mut self, path: &str, value: &'v Value, number: i128) -> Cow<'v, Value> {
        if value.as_number().is_some_and(|written| !written.is_f64()) {
            return Cow::Borrowed(value);
        }
        match Number::from_i128(number) {
            Some(number) => self.reading(path, value, Value::Number(number)),
            None => Cow::Borrowed(value),
        }
    }

    fn reading<'v>(&mut self, path: &str, written: &Value, read: Value) -> Cow<'v, Value> {
        self.notes.push(format!("`{path}`: {} read as {}", self.shown(written), self.shown(&read)));
        Cow::Owned(read)
    }

    fn mismatch(&self, shape: &Shape, value: &Value, path: &str) -> Problem {
        let (expected, got) = (expected(self.table, shape), self.shown(value));
        Problem::new(path, format!("expected {expected}, got {got}"))
    }

    /// The beginning of a value, for a message.
    fn shown(&self, value: &Value) -> String {
        if self.secret { "***".to_owned() } else { excerpt(value) }
    }
}

/// The integer that `value` certainly means. Beyond 2^53 a float has lost its last digits.
fn integer(value: &Value) -> Option<i128> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number = match value {
        Value::Number(number) => Cow::Borrowed(number),
        Value::String(text) => Cow::Owned(number(text)?),
        _ => return None,
    };
    if let Some(integer) = number.as_i128() {
        return Some(integer);
    }
    let float = number.as_f64()?;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    (float.fract() == 0.0 && float.abs() < EXACT).then_some(float as i128)
}

/// The number that `text` is, by JSON's own grammar.
fn number(text: &str) -> Option<Number> {
    serde_json::from_str(text).ok()
}
