//! Fitting an answer to the shape it is to have.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Problem, fit_arguments};
use crate::schema::{OutputSchema, VALUE};

/// An answer, as a value of its type and as JSON.
pub(crate) type Read<T> = (T, Value);

/// Fits `given` to `shape`, with the forgiveness of arguments; finds all problems, one a field.
pub(crate) fn fit_answer<T: DeserializeOwned>(
    shape: &OutputSchema,
    given: Value,
) -> Result<Read<T>, Vec<Problem>> {
    if !shape.is_wrapped {
        return match given {
            Value::Object(fields) => fit(shape, fields),
            _ => Err(vec![Problem::new("answer", "not one JSON object")]),
        };
    }
    // A model may leave out what it is wrapped in, also where the answer itself has such a field.
    match &given {
        Value::Object(fields) if fields.contains_key(VALUE) => fit(shape, fields.clone())
            .or_else(|found| fit(shape, wrapped(given)).map_err(|_| found)),
        _ => fit(shape, wrapped(given)),
    }
}

fn wrapped(value: Value) -> Map<String, Value> {
    Map::from_iter([(VALUE.to_owned(), value)])
}

fn fit<T: DeserializeOwned>(
    shape: &OutputSchema,
    fields: Map<String, Value>,
) -> Result<Read<T>, Vec<Problem>> {
    let fitted = fit_arguments(&shape.schema, &fields.into());
    if !fitted.problems.is_empty() {
        return Err(fitted.problems);
    }
    let plain = match shape.is_wrapped {
        true => fitted.values.get(VALUE).cloned().unwrap_or_default(),
        false => Value::Object(Map::clone(&fitted.values)),
    };
    match T::deserialize(&plain) {
        Ok(value) => Ok((value, plain)),
        Err(error) => Err(vec![Problem::new("answer", error.to_string())]),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::{DeserializeOwned, fit_answer};
    use crate::schema::OutputSchema;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Place {
        name: String,
        people: Option<u32>,
    }

    /// The answer and its JSON, or what is wrong with it.
    fn fitted<T: DeserializeOwned + JsonSchema>(given: Value) -> Result<(T, Value), String> {
        fit_answer(&OutputSchema::of::<T>(), given).map_err(|problems| {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        })
    }

    #[test]
    fn an_object_is_read_with_the_forgiveness_of_arguments() {
        let (place, json) = fitted::<Place>(json!({"name": "Ulm", "people": "128000"})).unwrap();
        assert_eq!(place, Place { name: "Ulm".into(), people: Some(128_000) });
        assert_eq!(json, json!({"name": "Ulm", "people": 128_000}));
        let unknown = json!({"name": "Ulm", "people": null});
        assert_eq!(fitted::<Place>(unknown).unwrap().1, json!({"name": "Ulm"}));
    }

    #[test]
    fn all_that_is_wrong_is_found() {
        let found = fitted::<Place>(json!({"nmae": "Ulm", "people": "many"})).unwrap_err();
        assert_eq!(
            found,
            "`nmae`: unknown parameter, did you mean `name`?; `name`: missing, expected text; \
             `people`: expected an integer from 0 to 4294967295, got \"many\""
        );
        assert_eq!(fitted::<Place>(json!([1])).unwrap_err(), "`answer`: not one JSON object");
    }

    #[test]
    fn what_is_no_object_is_read_with_and_without_what_it_is_wrapped_in() {
        assert_eq!(fitted::<u8>(json!({"value": 5})).unwrap(), (5, json!(5)));
        assert_eq!(fitted::<u8>(json!(5)).unwrap(), (5, json!(5)));
        type Counts = BTreeMap<String, u8>;
        for given in [json!({"value": 3}), json!({"value": {"value": 3}})] {
            assert_eq!(fitted::<Counts>(given).unwrap().1, json!({"value": 3}));
        }
        let found = fitted::<Vec<u8>>(json!({"value": [1, 300]})).unwrap_err();
        assert_eq!(found, "`value[1]`: expected an integer from 0 to 255, got 300");
    }

    #[test]
    fn the_types_own_reading_has_the_last_word() {
        #[derive(Debug, Deserialize, JsonSchema)]
        #[serde(try_from = "String")]
        struct Even(#[expect(dead_code, reason = "only whether it can be read matters")] u32);
        impl TryFrom<String> for Even {
            type Error = &'static str;
            fn try_from(text: String) -> Result<Self, Self::Error> {
                match text.parse() {
                    Ok(number) if number % 2 == 0 => Ok(Self(number)),
                    _ => Err("not an even number"),
                }
            }
        }
        assert!(fitted::<Even>(json!("4")).is_ok());
        assert_eq!(fitted::<Even>(json!("5")).unwrap_err(), "`answer`: not an even number");
    }
}
