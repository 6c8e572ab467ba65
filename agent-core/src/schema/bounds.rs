//! Bounds: how large a number may be, and how long a text, a list or a map.
//!
//! They come from `#[arg(range = ..)]` and `#[arg(length = ..)]`, from a type's own schema, and from
//! the formats of integers. Wherever from, the schema says them, arguments are held to them, and
//! messages word them alike.

use std::fmt;

use serde_json::{Map, Number, Value};

use super::decimal::decimal;

/// What `range` or `length` says of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bounds {
    /// How large an integer may be.
    Integers(Integers),
    /// How large a number may be.
    Numbers(Numbers),
    /// How long something may be.
    Lengths(Lengths),
}

/// The integers from `min` to `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Integers {
    pub(crate) min: Option<i128>,
    pub(crate) max: Option<i128>,
}

/// The numbers between two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbers {
    pub(crate) min: Option<End>,
    pub(crate) max: Option<End>,
}

/// An end of a range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct End {
    pub(crate) number: f64,
    /// Whether the number itself is left out.
    pub(crate) open: bool,
}

/// The lengths from `min` to `max`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lengths {
    pub(crate) unit: Unit,
    pub(crate) min: Option<usize>,
    pub(crate) max: Option<usize>,
}

/// What a length counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Of a text.
    Characters,
    /// Of a list.
    Items,
    /// Of a map.
    Entries,
}

impl Bounds {
    /// Adds the keywords that say the same.
    pub(super) fn write(self, schema: &mut Map<String, Value>) {
        let mut put = |key: &str, number: Option<Number>| {
            if let Some(number) = number {
                schema.insert(key.to_owned(), number.into());
            }
        };
        match self {
            // An end that JSON cannot write bounds nothing that JSON can.
            Self::Integers(Integers { min, max }) => {
                put("minimum", min.and_then(Number::from_i128));
                put("maximum", max.and_then(Number::from_i128));
            }
            Self::Numbers(Numbers { min, max }) => {
                for (end, keys) in [(min, Numbers::MIN), (max, Numbers::MAX)] {
                    let Some(End { number, open }) = end else { continue };
                    put(keys[usize::from(open)], Number::from_f64(number));
                }
            }
            Self::Lengths(Lengths { unit, min, max }) => {
                let [min_key, max_key] = unit.keys();
                put(min_key, min.map(Number::from));
                put(max_key, max.map(Number::from));
            }
        }
    }

    /// The same, with the ends as they were written.
    pub(crate) fn as_written(self) -> Self {
        let written = |end: End| End { number: decimal(end.number), ..end };
        match self {
            Self::Numbers(Numbers { min, max }) => {
                Self::Numbers(Numbers { min: min.map(written), max: max.map(written) })
            }
            other => other,
        }
    }

    /// Whether the value is within the bounds, where they say anything of its kind.
    pub(crate) fn hold(self, value: &Value) -> bool {
        match (self, value) {
            (Self::Integers(range), Value::Number(number)) => {
                number.as_i128().is_none_or(|number| range.contains(number))
            }
            (Self::Numbers(range), Value::Number(number)) => range.admits(number),
            (Self::Lengths(lengths), _) => {
                lengths.unit.count(value).is_none_or(|length| lengths.contains(length))
            }
            _ => true,
        }
    }
}

/// In the words for a value that is within them.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integers(range) => range.fmt(f),
            Self::Numbers(range) => range.fmt(f),
            Self::Lengths(lengths) => lengths.fmt(f),
        }
    }
}

fn number<'s>(schema: &'s Map<String, Value>, key: &str) -> Option<&'s Number> {
    schema.get(key).and_then(Value::as_number)
}

impl Integers {
    /// The range that the bounds and the format of a schema give together.
    pub(super) fn of(schema: &Map<String, Value>) -> Self {
        let bound = |key: &str| number(schema, key).and_then(Number::as_i128);
        let (min, max) = match schema.get("format").and_then(Value::as_str) {
            Some("int8") => (Some(i8::MIN.into()), Some(i8::MAX.into())),
            Some("int16") => (Some(i16::MIN.into()), Some(i16::MAX.into())),
            Some("int32") => (Some(i32::MIN.into()), Some(i32::MAX.into())),
            Some("int64" | "int") => (Some(i64::MIN.into()), Some(i64::MAX.into())),
            Some("uint8") => (Some(0), Some(u8::MAX.into())),
            Some("uint16") => (Some(0), Some(u16::MAX.into())),
            Some("uint32") => (Some(0), Some(u32::MAX.into())),
            Some("uint64" | "uint") => (Some(0), Some(u64::MAX.into())),
            _ => (None, None),
        };
        let above = bound("exclusiveMinimum").map(|bound| bound + 1);
        let below = bound("exclusiveMaximum").map(|bound| bound - 1);
        Self {
            min: [min, bound("minimum"), above].into_iter().flatten().max(),
            max: [max, bound("maximum"), below].into_iter().flatten().min(),
        }
    }

    // `const`, as closures are not.
    pub(crate) const fn contains(self, number: i128) -> bool {
        let above = if let Some(min) = self.min { min <= number } else { true };
        let below = if let Some(max) = self.max { number <= max } else { true };
        above && below
    }
}

impl fmt::Display for Integers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (Some(min), Some(max)) => write!(f, "an integer from {min} to {max}"),
            (Some(min), None) => write!(f, "an integer of at least {min}"),
            (None, Some(max)) => write!(f, "an integer of at most {max}"),
            (None, None) => f.write_str("an integer"),
        }
    }
}

impl Numbers {
    const MIN: [&str; 2] = ["minimum", "exclusiveMinimum"];
    const MAX: [&str; 2] = ["maximum", "exclusiveMaximum"];

    pub(super) fn of(schema: &Map<String, Value>) -> Self {
        let end = |[closed, open]: [&str; 2]| {
            let at = |key, open| Some(End { number: number(schema, key)?.as_f64()?, open });
            at(open, true).or_else(|| at(closed, false))
        };
        // What does not fit a smaller float would become infinite.
        let single = schema.get("format").is_some_and(|format| format == "float");
        let widest = |number: f32| single.then_some(End { number: number.into(), open: false });
        Self {
            min: end(Self::MIN).or_else(|| widest(f32::MIN)),
            max: end(Self::MAX).or_else(|| widest(f32::MAX)),
        }
    }

    pub(crate) fn admits(self, number: &Number) -> bool {
        number.as_f64().is_none_or(|number| self.contains(number))
    }

    pub(crate) const fn contains(self, number: f64) -> bool {
        let above = match self.min {
            Some(End { number: min, open }) => min < number || min == number && !open,
            None => true,
        };
        let below = match self.max {
            Some(End { number: max, open }) => number < max || number == max && !open,
            None => true,
        };
        above && below
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |end: End, open, closed| if end.open { open } else { closed };
        // That a type ends somewhere beyond all that is meant is not worth a word.
        let said =
            |end: Option<End>, widest: f32| end.filter(|end| end.number != f64::from(widest));
        f.write_str("a number")?;
        match (said(self.min, f32::MIN), said(self.max, f32::MAX)) {
            (Some(min), Some(max)) if !min.open && !max.open => {
                write!(f, " from {} to {}", min.number, max.number)
            }
            (min, max) => {
                if let Some(min) = min {
                    write!(f, " {} {}", word(min, "above", "of at least"), min.number)?;
                }
                if let Some(max) = max {
                    let and = if min.is_some() { " and" } else { "" };
                    write!(f, "{and} {} {}", word(max, "below", "of at most"), max.number)?;
                }
                Ok(())
            }
        }
    }
}

impl Unit {
    fn keys(self) -> [&'static str; 2] {
        match self {
            Self::Characters => ["minLength", "maxLength"],
            Self::Items => ["minItems", "maxItems"],
            Self::Entries => ["minProperties", "maxProperties"],
        }
    }

    /// The length of the value, if it is of the kind that is counted in this unit.
    pub(crate) fn count(self, value: &Value) -> Option<usize> {
        match (self, value) {
            (Self::Characters, Value::String(text)) => Some(text.chars().count()),
            (Self::Items, Value::Array(items)) => Some(items.len()),
            (Self::Entries, Value::Object(entries)) => Some(entries.len()),
            _ => None,
        }
    }
}

impl Lengths {
    pub(super) fn of(unit: Unit, schema: &Map<String, Value>) -> Self {
        let bound = |key| usize::try_from(number(schema, key)?.as_u64()?).ok();
        let [min, max] = unit.keys();
        Self { unit, min: bound(min), max: bound(max) }
    }

    pub(crate) const fn contains(self, length: usize) -> bool {
        let above = if let Some(min) = self.min { min <= length } else { true };
        let below = if let Some(max) = self.max { length <= max } else { true };
        above && below
    }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, one, many) = match self.unit {
            Unit::Characters => ("text", "character", "characters"),
            Unit::Items => ("a list", "item", "items"),
            Unit::Entries => ("an object", "entry", "entries"),
        };
        let counted = |count: usize| if count == 1 { one } else { many };
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => write!(f, "{what} of {max} {}", counted(max)),
            (Some(min), Some(max)) => write!(f, "{what} of {min} to {max} {}", counted(max)),
            (Some(min), None) => write!(f, "{what} of at least {min} {}", counted(min)),
            (None, Some(max)) => write!(f, "{what} of at most {max} {}", counted(max)),
            (None, None) => f.write_str(what),
        }
    }
}
