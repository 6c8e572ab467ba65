//! Values that may be of several types.

use std::borrow::Cow;

use serde_json::Value;

use super::words::expected;
use super::{Fit, Fitting, MOST_TRIES, Problem};
use crate::schema::{Shape, ShapeTable};

impl Fit<'_> {
    /// Takes the first arm that the value fits as it is, else the first it can be read as.
    pub(super) fn union<'v>(
        &mut self,
        arms: &[Shape],
        value: &'v Value,
        path: &str,
    ) -> Fitting<'v> {
        let before = self.notes.len();
        let mut read = None;
        let mut refused: Option<(usize, Problem)> = None;
        for arm in arms {
            self.tries += 1;
            if self.tries > MOST_TRIES {
                return Err(Problem::new(path, "could be read in too many ways; say it simpler"));
            }
            match self.value(arm, value, path) {
                Ok(Cow::Borrowed(_)) => {
                    self.notes.truncate(before);
                    return Ok(Cow::Borrowed(value));
                }
                Ok(owned) if read.is_none() => read = Some((owned, self.notes.split_off(before))),
                Ok(_) => self.notes.truncate(before),
                Err(problem) => {
                    self.notes.truncate(before);
                    let weight = affinity(self.table, arm, value);
                    if weight > refused.as_ref().map_or(0, |(best, _)| *best) {
                        refused = Some((weight, problem));
                    }
                }
            }
        }
        match (read, refused) {
            (Some((value, notes)), _) => {
                self.notes.extend(notes);
                Ok(value)
            }
            (None, Some((_, problem))) => Err(problem),
            (None, None) => Err(self.no_arm(arms, value, path)),
        }
    }

    /// The problem of a value that no arm speaks for: its tag, if the arms are told apart by one.
    fn no_arm(&self, arms: &[Shape], value: &Value, path: &str) -> Problem {
        for (name, found) in value.as_object().into_iter().flatten() {
            let tags: Vec<Value> = arms
                .iter()
                .filter_map(|arm| tag(self.table, arm, name))
                .flatten()
                .cloned()
                .collect();
            if !tags.is_empty() {
                return self.mismatch(&Shape::Choice(tags), found, &format!("{path}.{name}"));
            }
        }
        let kinds: Vec<String> = arms.iter().map(|arm| expected(self.table, arm)).collect();
        Problem::new(path, format!("expected {}, got {}", kinds.join(" or "), self.shown(value)))
    }
}

/// How much of `value` speaks for `shape`: the arm of a union that was meant has the tag, or else
/// the fields, that the value has.
fn affinity(table: &ShapeTable, shape: &Shape, value: &Value) -> usize {
    match (table.resolve(shape), value) {
        (Shape::Object(fields), Value::Object(map)) => {
            let wrong_tag = |(name, value): (&String, &Value)| {
                tag(table, shape, name).is_some_and(|tags| !tags.contains(value))
            };
            if map.iter().any(wrong_tag) {
                return 0;
            }
            fields.known.iter().filter(|field| map.contains_key(&field.name)).count()
        }
        (Shape::List(..), Value::Array(_)) => 1,
        _ => 0,
    }
}

/// The values of the required field `name`, if `shape` is an object that names them one by one.
fn tag<'s>(table: &'s ShapeTable, shape: &'s Shape, name: &str) -> Option<&'s [Value]> {
    let Shape::Object(fields) = table.resolve(shape) else { return None };
    match fields.known.iter().find(|field| field.required && field.name == name)?.shape {
        Shape::Choice(ref values) => Some(values),
        _ => None,
    }
}
