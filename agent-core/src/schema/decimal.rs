//! Numbers as they were written: the `f32` 0.1, which is 0.10000000149011612 as an `f64`.

use serde_json::{Number, Value};

/// The number that was written, if this one is an `f32`.
pub(super) fn decimal(number: f64) -> f64 {
    let single = number as f32;
    let exact = f64::from(single) == number;
    if exact { single.to_string().parse().unwrap_or(number) } else { number }
}

/// The value with its numbers as they were written.
pub(crate) fn as_written(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let written = number.as_f64().map(decimal).and_then(Number::from_f64);
            Value::Number(written.unwrap_or(number))
        }
        Value::Array(values) => values.into_iter().map(as_written).collect(),
        Value::Object(map) => {
            map.into_iter().map(|(name, value)| (name, as_written(value))).collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::as_written;

    #[test]
    fn single_floats_are_written_as_in_the_source_and_others_stay() {
        let exact =
            json!({"single": 0.7_f32, "double": 0.7, "list": [1.5, 1e30_f32, 3], "text": "0.7"});
        let written = json!({"single": 0.7, "double": 0.7, "list": [1.5, 1e30, 3], "text": "0.7"});
        assert_eq!(as_written(exact), written);
        assert_eq!(as_written(json!(std::f64::consts::PI)), json!(std::f64::consts::PI));
    }
}
