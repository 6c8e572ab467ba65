//! What a run costs, in money.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::usage::Usage;

/// An amount of money in US dollars, counted exactly, down to a millionth of a millionth of a dollar.
/// It stops growing at some 18 million dollars. Shown like `$0.0123`; as data, it is a number of
/// dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    picodollars: u64,
}

/// A dollar in picodollars.
const DOLLAR: f64 = 1e12;
/// A dollar for a million tokens, in picodollars for one.
const PER_TOKEN: f64 = DOLLAR / 1e6;

impl Cost {
    /// This many dollars.
    ///
    /// # Errors
    ///
    /// It is no finite number from 0.
    pub fn from_dollars(dollars: f64) -> Result<Self, InvalidMoney> {
        Ok(Self { picodollars: whole(dollars, DOLLAR)? })
    }

    /// The nearest number of dollars.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a sum of money for people to read")]
    pub fn dollars(self) -> f64 {
        self.picodollars as f64 / DOLLAR
    }
}

impl Cost {
    /// What is left of it without `other`.
    pub(crate) fn saturating_sub(self, other: Self) -> Self {
        Self { picodollars: self.picodollars.saturating_sub(other.picodollars) }
    }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { picodollars: self.picodollars.saturating_add(other.picodollars) }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), Add::add)
    }
}

/// To a hundredth of a cent; what is less than that is not shown as nothing.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: u64 = 100_000_000;
        if self.picodollars > 0 && self.picodollars < SHOWN {
            return f.pad("<$0.0001");
        }
        let shown = self.picodollars.saturating_add(SHOWN / 2) / SHOWN;
        f.pad(&format!("${}.{:04}", shown / 10_000, shown % 10_000))
    }
}

impl Serialize for Cost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.dollars())
    }
}

impl<'de> Deserialize<'de> for Cost {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::from_dollars(f64::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// What a model costs, in US dollars for a million tokens.
///
/// ```
/// use agent_core::{Prices, Usage};
///
/// let prices = Prices::new(0.4, 1.6)?.with_cached(0.1)?;
/// let usage = Usage { prompt_tokens: 10_000, completion_tokens: 500, cached_tokens: 8_000 };
/// assert_eq!(prices.cost(usage).to_string(), "$0.0024"); // 2,000 x 0.4 + 8,000 x 0.1 + 500 x 1.6
/// # Ok::<_, agent_core::InvalidMoney>(())
/// ```
///
/// In a profile they are a table, `prices = { input = 0.4, cached = 0.1, output = 1.6 }`. What a
/// provider asks beside them, such as for keeping a prompt in its cache, is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table of `input` and `output`")]
pub struct Prices {
    input: Price,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cached: Option<Price>,
    output: Price,
}

/// In dollars for a million tokens as data, in picodollars for one token as it is reckoned with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Price {
    picodollars: u64,
}

impl Prices {
    /// The prices of tokens that are sent, and of those that come back; each down to a millionth
    /// of a dollar.
    ///
    /// # Errors
    ///
    /// One is no finite number from 0.
    pub fn new(input: f64, output: f64) -> Result<Self, InvalidMoney> {
        let (input, output) = (Price::of(input)?, Price::of(output)?);
        Ok(Self { input, cached: None, output })
    }

    /// Sets the price of tokens that are sent and that the provider has in its cache. It is that of
    /// any others unless it is set.
    ///
    /// # Errors
    ///
    /// It is no finite number from 0.
    pub fn with_cached(self, cached: f64) -> Result<Self, InvalidMoney> {
        Ok(Self { cached: Some(Price::of(cached)?), ..self })
    }

    /// What these tokens cost.
    #[must_use]
    pub fn cost(&self, usage: Usage) -> Cost {
        let cached = usage.cached_tokens.min(usage.prompt_tokens);
        self.input.times(usage.prompt_tokens - cached)
            + self.cached.unwrap_or(self.input).times(cached)
            + self.output.times(usage.completion_tokens)
    }
}

impl Price {
    fn of(dollars: f64) -> Result<Self, InvalidMoney> {
        Ok(Self { picodollars: whole(dollars, PER_TOKEN)? })
    }

    fn times(self, tokens: u64) -> Cost {
        Cost { picodollars: self.picodollars.saturating_mul(tokens) }
    }
}

impl Serialize for Price {
    #[expect(clippy::cast_precision_loss, reason = "it was read from such a number")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.picodollars as f64 / PER_TOKEN)
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::of(f64::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// A number is no amount of money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an amount of money; write a number of US dollars from 0, such as 0.25")]
pub struct InvalidMoney;

/// Dollars in whole units of a scale; the most there can be for any that are more.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole and from 0; a cast ends at the largest"
)]
fn whole(dollars: f64, scale: f64) -> Result<u64, InvalidMoney> {
    let valid = dollars.is_finite() && dollars >= 0.0;
    if valid { Ok((dollars * scale).round() as u64) } else { Err(InvalidMoney) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Cost, Prices};
    use crate::usage::Usage;

    fn usage(prompt_tokens: u64, completion_tokens: u64, cached_tokens: u64) -> Usage {
        Usage { prompt_tokens, completion_tokens, cached_tokens }
    }

    #[test]
    fn costs_add_up_to_the_last_token_of_the_cheapest_model() {
        let prices = Prices::new(0.02, 0.000_001).unwrap();
        let steps: Cost = (0..1_000_000).map(|_| prices.cost(usage(1, 1, 0))).sum();
        assert_eq!(steps, prices.cost(usage(1_000_000, 1_000_000, 0)));
        assert_eq!(steps, Cost::from_dollars(0.020_001).unwrap());
    }

    #[test]
    fn cached_tokens_are_a_part_of_those_sent_and_cost_what_is_set_or_the_same() {
        let prices = Prices::new(3.0, 15.0).unwrap();
        assert_eq!(prices.cost(usage(1_000_000, 0, 400_000)).dollars(), 3.0);
        let prices = prices.with_cached(0.3).unwrap();
        assert_eq!(prices.cost(usage(1_000_000, 1_000_000, 400_000)).dollars(), 1.8 + 0.12 + 15.0);
        assert_eq!(prices.cost(usage(10, 0, 10)), prices.cost(usage(10, 0, 99)));
    }

    #[test]
    fn a_cost_is_shown_to_a_hundredth_of_a_cent_and_never_as_nothing() {
        let shown = |dollars: f64| Cost::from_dollars(dollars).unwrap().to_string();
        assert_eq!(shown(0.0), "$0.0000");
        assert_eq!(shown(1e-12), "<$0.0001");
        assert_eq!(shown(0.000_099), "<$0.0001");
        assert_eq!(shown(0.0123), "$0.0123");
        assert_eq!(shown(0.012_35), "$0.0124");
        assert_eq!(shown(12.999_96), "$13.0000");
        assert_eq!(shown(1e300), "$18446744.0737");
        assert_eq!(format!("{:>8}", Cost::default()), " $0.0000");
    }

    #[test]
    fn costs_and_prices_are_numbers_of_dollars_as_data() {
        let cost = Cost::from_dollars(0.1).unwrap() + Cost::from_dollars(0.2).unwrap();
        assert_eq!(serde_json::to_value(cost).unwrap(), json!(0.3));
        assert_eq!(serde_json::from_value::<Cost>(json!(0.3)).unwrap(), cost);
        for written in [
            json!({"input": 0.4, "output": 1.6}),
            json!({"input": 0.075, "cached": 0.01875, "output": 0.3}),
        ] {
            let prices: Prices = serde_json::from_value(written.clone()).unwrap();
            assert_eq!(serde_json::to_value(prices).unwrap(), written);
        }
        let whole: Prices = serde_json::from_value(json!({"input": 3, "output": 15})).unwrap();
        assert_eq!(whole, Prices::new(3.0, 15.0).unwrap());
    }

    #[test]
    fn what_is_no_price_is_refused_and_what_is_too_large_ends_at_the_largest() {
        for number in [-0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Cost::from_dollars(number).is_err(), "{number}");
            assert!(Prices::new(number, 0.0).is_err() && Prices::new(0.0, number).is_err());
        }
        let prices = Prices::new(1e300, 1.0).unwrap();
        let most = prices.cost(usage(u64::MAX, u64::MAX, 0));
        assert_eq!(most + most, most);
    }
}
